import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuMs } from '../../../test/cpu-time.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { isAppError, isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { readListAnswer } from './list-answer.ts';
import { BodyMemory } from './transport/body-memory.ts';

const type = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const attempted = { method: 'GET', path: '/api/v1/pods', server: 'https://x.test', label: 'test' };

/** The items of an answer, one by one; `refused` for an invalid answer or item. */
function itemsOf(bytes: Buffer): (JsonObject | 'refused')[] | 'refused' {
  const body = new BodyMemory();
  body.add(bytes);
  try {
    const answer = readListAnswer({ status: 200, headers: {}, body }, attempted, { type });
    const items: (JsonObject | 'refused')[] = [];
    const each = answer.items[Symbol.iterator]();
    for (let at = 0; at < answer.items.length; at += 1) items.push(refusedOr(() => each.next().value as JsonObject));
    answer.release();
    return items;
  } catch (error) {
    return refusal(error);
  }
}

function refusedOr<T>(read: () => T): T | 'refused' {
  try {
    return read();
  } catch (error) {
    return refusal(error);
  }
}

function refusal(error: unknown): 'refused' {
  expect(isAppError(error, 'badAnswer'), String(error)).toBe(true);
  return 'refused';
}

/** What a parser that reads everything at once returns; undefined if it is not such a list. */
function expected(text: string): JsonObject[] | undefined {
  try {
    const list = parseJson(text);
    const items = isObject(list) ? list['items'] : undefined;
    if (items === null) return [];
    return Array.isArray(items)
      ? items.filter(isObject).map((item) => ({ apiVersion: 'v1', kind: 'Pod', ...item }))
      : undefined;
  } catch {
    return undefined;
  }
}

const item = fc.dictionary(fc.oneof(fc.string(), fc.constant('items')), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
const whole = fc
  .record({
    kind: fc.constant('PodList'),
    metadata: item,
    items: fc.array(fc.oneof(item, fc.jsonValue()), { maxLength: 6 }),
  })
  .map((list) => JSON.stringify(list));
const damaged = fc
  .tuple(
    whole,
    fc.nat(),
    fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', '1e400', '"items":[{}]', '\0', 'é'),
    fc.nat(4),
  )
  .map(([text, at, put, cut]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + cut));

it('gives the items of any list as they are, and refuses what is none', () => {
  fc.assert(
    fc.property(fc.oneof(whole, damaged, fc.string(), fc.json()), (text) => {
      const items = itemsOf(Buffer.from(text));
      const right = expected(text);
      if (right !== undefined) expect(items).toEqual(right);
    }),
    { numRuns: fuzzRuns(300) },
  );
}, 600_000);

it('throws nothing that nobody expects, whatever bytes come', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      itemsOf(Buffer.concat([Buffer.from('{"items":['), bytes, Buffer.from(']}')]));
    }),
    { numRuns: fuzzRuns(300) },
  );
}, 600_000);

it.each([
  ['quotes behind backslashes', '\\"'],
  ['backslashes', '\\\\'],
  ['braces', '{}'],
  ['digits', '9'],
])('takes as long as the text is, not its square: %s', (_, unit) => {
  const text = (megabytes: number): Buffer =>
    Buffer.from(`{"items":[{"a":"${unit.repeat((megabytes * 1024 ** 2) / unit.length)}"},{"b":1}]}`);
  const bytes = text(8);
  const tookMs = cpuMs(() => {
    expect(itemsOf(bytes)).toHaveLength(2);
  });
  expect(tookMs).toBeLessThan(1000);
});
