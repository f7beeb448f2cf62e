import { expect } from 'vitest';
import { numberAt, type Seen } from './status-record.ts';

/** Law 4, and what a watch on a busy machine may lag behind. */
export const FRESH_MS = 1200;
export const SLACK_MS = 800;
const SILENT_MS = 2000;

/** Numbers never fall, no stage is silent, there is no flood of writes, and the last write has the last numbers. */
export function expectSteady(seen: readonly Seen[], fields: readonly string[]): void {
  const running = seen.filter(({ progress }) => progress['stage'] !== undefined);
  for (const field of fields) {
    const values = running.map(({ progress }) => numberAt(progress, field) ?? 0);
    expect(values, field).toEqual(values.toSorted((a, b) => a - b));
  }
  const gaps = running.slice(1).map(({ at }, index) => at - running[index]!.at);
  expect(Math.max(...gaps), `silent between ${JSON.stringify(gaps)}`).toBeLessThan(SILENT_MS + SLACK_MS);
  // Changes of phase are written at once; everything else at most once a second.
  const spanMs = running.at(-1)!.at - running[0]!.at;
  const phases = new Set(seen.map(({ phase }) => phase)).size;
  expect(running.length).toBeLessThanOrEqual(spanMs / 1000 + 2 + phases);
}

/** A count that was seen from outside: what was there at each moment. */
export class Ledger {
  /** Whatever was in the way of seeing it. */
  readonly problems: unknown[] = [];
  readonly #times = new Map<string, number>();

  /** A second time changes nothing. */
  add(uid: string): void {
    if (!this.#times.has(uid)) this.#times.set(uid, Date.now());
  }

  get size(): number {
    return this.#times.size;
  }

  /** How many there were by then. */
  by(time: number): number {
    return [...this.#times.values()].filter((at) => at <= time).length;
  }
}

/** Each write tells at least what was there a moment before, and at most what is there now. */
export function expectFresh(seen: readonly Seen[], countOf: (seen: Seen) => number, ledger: Ledger): void {
  const counted = seen.filter(({ progress }) => progress['stage'] !== undefined);
  expect(counted.length).toBeGreaterThan(3);
  for (const one of counted) {
    const told = countOf(one);
    const text = `${JSON.stringify(one.progress)}, ${ledger.by(one.at)} were there`;
    expect(told, `too many: ${text}`).toBeLessThanOrEqual(ledger.by(one.at + SLACK_MS));
    expect(told, `too old: ${text}`).toBeGreaterThanOrEqual(ledger.by(one.at - FRESH_MS - SLACK_MS));
  }
}
