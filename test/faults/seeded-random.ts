/** In CI always the same; the campaign takes another one each time, and the test's name tells it. */
export const SEED =
  process.env['HEADWAY_SEED'] !== undefined
    ? Number(process.env['HEADWAY_SEED'])
    : process.env['HEADWAY_CAMPAIGN'] === '1'
      ? Date.now() % 1_000_000_000
      : 20_261_115;

export const IS_CAMPAIGN = process.env['HEADWAY_CAMPAIGN'] === '1';

/** Numbers from 0 up to 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
