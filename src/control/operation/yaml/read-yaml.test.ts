import { describe, expect, it } from 'vitest';
import { watchingLoop } from '../../../../test/event-loop.ts';
import { readYaml } from './read-yaml.ts';

const { signal } = new AbortController();
const long = (text: string): string => `${text}\n# ${'-'.repeat(9000)}\n`;

describe('YAML of users', () => {
  // Short texts are read here, long ones by a thread.
  it.each([
    ['short', (text: string) => text],
    ['long', long],
  ])('that is %s is read, and what is wrong with it told', async (_, make) => {
    const texts = ['a: [1, x, {b: true}]', '[1', 'a: 1\nb: 2\n"a": 3', '', '{"__proto__": 1}', '- &x {y: z}\n- *x'];
    const [good, broken, twice, empty, proto, alias] = await readYaml(texts.map(make), signal);
    expect(good).toEqual({ value: { a: [1, 'x', { b: true }] } });
    expect(broken).toEqual({ problem: expect.stringContaining('Flow sequence') as string });
    expect(twice).toEqual({ problem: 'Map keys must be unique: "a"' });
    expect(empty).toEqual({ value: null });
    expect(JSON.stringify(proto)).toBe('{"value":{"__proto__":1}}');
    expect(alias).toEqual({ value: [{ y: 'z' }, { y: 'z' }] });
  });

  const keys = Array.from({ length: 20_000 }, (_, index) => `key-${index}: 1`);
  it.each<[string, string, unknown]>([
    ['a long map', `{${keys.join(', ')}}`, { value: expect.objectContaining({ 'key-19999': 1 }) as unknown }],
    ['many brackets', '['.repeat(100_000), { problem: expect.stringContaining('call stack') as string }],
    ['names for names', bomb(9), { problem: expect.stringContaining('alias') as string }],
    [
      'names for a long text',
      `- &a ${'x'.repeat(50_000)}\n${'- *a\n'.repeat(90)}`,
      { problem: expect.stringContaining('at most 2097152 characters') as string },
    ],
    [
      'more values than fit',
      `[${'1,'.repeat(1_000_000)}]`,
      { problem: expect.stringContaining('at most 600000 words') as string },
    ],
  ])('made to be slow, such as %s, holds up nobody', { timeout: 60_000 }, async (_, text, expected) => {
    const { result, stepMs } = await watchingLoop(() => readYaml([text], signal));
    expect(result).toEqual([expected]);
    expect(stepMs).toBeLessThan(500);
  });

  it('is read no further when nobody wants it any more, by those that wait for their turn as well', async () => {
    const stop = new AbortController();
    const slow = `[${'1,'.repeat(400_000)}]`;
    const unwanted = Promise.allSettled([readYaml([slow], stop.signal), readYaml([slow], stop.signal)]);
    const other = readYaml([long('a: 1')], signal);
    stop.abort(new Error('enough'));
    const late = Promise.allSettled([readYaml([slow], stop.signal)]);
    for (const one of [...(await unwanted), ...(await late)]) {
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'enough' } });
    }
    expect(await other).toEqual([{ value: { a: 1 } }]);
  });
});

/** Each line repeats the one before ten times. */
function bomb(lines: number): string {
  const line = (_: unknown, index: number): string => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]`;
  return long(['a0: &a0 x', ...Array.from({ length: lines }, line)].join('\n'));
}
