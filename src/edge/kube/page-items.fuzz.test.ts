import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { isAppError, isObject, parseJson, stringifyJson, type JsonObject } from '../../base/index.ts';
import { readListAnswer, toPage } from './list-answer.ts';
import { listedOn } from './page-items.ts';
import type { ListedObject } from './port.ts';
import { BodyMemory } from './transport/body-memory.ts';

const type = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const attempted = { method: 'GET', path: '/api/v1/pods', server: 'https://x.test', label: 'test' };

function pageOf(text: string) {
  const body = new BodyMemory();
  body.add(Buffer.from(text));
  return toPage(readListAnswer({ status: 200, headers: {}, body }, attempted, { type }), false);
}

/** Numbers as JavaScript has them: metadata is only read for names and labels. */
const plain = (value: unknown): unknown => JSON.parse(stringifyJson(value));

const key = fc.constantFrom('name', 'namespace', 'labels', 'annotations', 'managedFields', 'metadata', 'spec', 'a"\\b');
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(key, fc.jsonValue({ maxDepth: 1 })),
  fc.constant([]),
);
const metadata = fc
  .tuple(fc.dictionary(key, value, { maxKeys: 6 }), fc.boolean())
  .map(([own, isNamed]) => (isNamed ? { ...own, name: 'n', namespace: 's' } : own));
const item = fc
  .tuple(fc.dictionary(key, value, { maxKeys: 3 }), fc.option(metadata), fc.dictionary(key, value, { maxKeys: 3 }))
  .map(([before, own, after]) => ({ ...before, ...(own === null ? {} : { metadata: own }), ...after }) as JsonObject);

it('knows the metadata of every item without parsing the rest', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), fc.constantFrom(undefined, ' '), (items, space) => {
      const text = JSON.stringify({ kind: 'PodList', items }, undefined, space);
      const page = pageOf(text);
      const each = listedOn(page)[Symbol.iterator]();
      for (const one of (parseJson(text) as { items: JsonObject[] }).items) {
        let listed: ListedObject | undefined;
        try {
          listed = each.next().value as ListedObject;
        } catch (error) {
          expect(isAppError(error, 'badAnswer')).toBe(true);
          const { name, namespace = '' } = isObject(one['metadata']) ? one['metadata'] : {};
          expect(typeof name === 'string' && typeof namespace === 'string').toBe(false);
          // The next one is there all the same.
          continue;
        }
        const own = one['metadata'] as JsonObject;
        const short = {
          ...own,
          ...(isObject(own['annotations']) ? { annotations: {} } : {}),
          ...(Array.isArray(own['managedFields']) ? { managedFields: [] } : {}),
        };
        // What has its metadata written in an unusual way is parsed, and has all of it.
        expect([short, own].map((each) => plain(each))).toContainEqual(plain(listed.metadata));
        expect(listed.parse()).toEqual({ apiVersion: 'v1', kind: 'Pod', ...one });
        const json = listed.json();
        if (json !== undefined) expect(parseJson(json.toString())).toEqual(one);
      }
      expect(each.next().done).toBe(true);
    }),
    { numRuns: fuzzRuns(500) },
  );
}, 600_000);

it('leaves out annotations and managedFields, and has nothing after the page was released', () => {
  const own = { annotations: { long: 'x' }, labels: { a: 'b' }, managedFields: [{ manager: 'm' }], name: 'p' };
  const page = pageOf(JSON.stringify({ items: [{ metadata: own, spec: {} }] }));
  const [listed] = [...listedOn(page)];
  expect(listed?.metadata).toEqual({ ...own, annotations: {}, managedFields: [] });
  expect(listed?.json()?.toString()).toBe(JSON.stringify({ metadata: own, spec: {} }));
  page.release?.();
  expect(listed?.json()).toBeUndefined();
  expect(() => listed?.parse()).toThrow('after the page was released');
});

it.each([
  '{"metadata":{"name":"a"},"metadata":null}',
  '{"metadata":{"name":"a"},"meta\\u0064ata":{"name":"b"}}',
  '{"metadata":{"name":"a","n\\u0061mespace":"b"}}',
])('does not take one object for another: %s', (item) => {
  const [listed] = [...listedOn(pageOf(`{"items":[${item}]}`))];
  const names = (JSON.parse(item) as { metadata: { name: string } | null }).metadata;
  if (JSON.stringify(names) !== JSON.stringify(listed?.metadata)) expect(() => listed?.parse()).toThrow('several');
});

it('takes the last metadata, as a parser does, and nothing of the first', () => {
  const first = '{"annotations":{"x":"1"},"managedFields":[{}],"name":"a"}';
  const [listed] = [...listedOn(pageOf(`{"items":[{"metadata":${first},"metadata":{"name":"b"}}]}`))];
  expect(listed?.metadata).toEqual({ name: 'b' });
  expect(listed?.parse().metadata).toEqual({ name: 'b' });
});

it('does not take an object of one namespace for that of another', () => {
  const item = '{"metadata":{"name":"a","namespace":"x"},"meta\\u0064ata":{"name":"a","namespace":"y"}}';
  const [listed] = [...listedOn(pageOf(`{"items":[${item}]}`))];
  expect(listed?.metadata.namespace).toBe('x');
  expect(() => listed?.parse()).toThrow('several');
});
