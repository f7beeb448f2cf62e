import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { ItemLook } from './item-look.ts';
import { encodeItem } from './writer.ts';

const look = new ItemLook();
const name = fc.constantFrom('v1', 'apps/v1', 'web', 'tëam', 'a"b', '', '<b>');
const value = fc.jsonValue({ maxDepth: 3 });
const metadata = fc.record({ name, namespace: name, labels: value, uid: name }, { requiredKeys: [] });
const item = fc.record({ apiVersion: name, kind: name, metadata, spec: value, a: value }, { requiredKeys: [] });

function parsed(text: string): JsonObject | undefined {
  try {
    const object = parseJson(text.toWellFormed());
    return isObject(object) ? object : undefined;
  } catch {
    return undefined;
  }
}

it('sees the names that parsing finds, and none in what is no JSON', () => {
  const damage = fc.tuple(fc.nat(), fc.constantFrom('', '"', '{', '}', ',', ':', '\\', 'x', '0', ' '), fc.nat(2));
  fc.assert(
    fc.property(item, fc.option(damage), (object, damaged) => {
      let text = encodeItem(object);
      if (damaged !== null) {
        const [place, put, cut] = damaged;
        const at = place % text.length;
        text = text.slice(0, at) + put + text.slice(at + cut);
      }
      const looked = look.lookAt(Buffer.from(text));
      if (looked === undefined) return;
      const { unapplied: _unapplied, ...names } = looked;
      const right = parsed(text);
      const own = right?.['metadata'] as JsonObject;
      expect(names).toEqual({
        apiVersion: right?.['apiVersion'],
        kind: right?.['kind'],
        name: own['name'],
        namespace: own['namespace'],
      });
    }),
    { numRuns: fuzzRuns(3000) },
  );
}, 600_000);

it('sees them in what Go has written', () => {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { annotations: { a: '<"\n\u2028…' }, name: 'web', namespace: 'shop', uid: 'u' },
    spec: { list: [1, -2, true, null, { b: {}, c: [] }] },
  };
  const names = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  expect(look.lookAt(Buffer.from(encodeItem(object)))).toMatchObject({ ...names, namespace: 'shop' });
  const { namespace: _namespace, ...ofCluster } = object.metadata;
  const text = encodeItem({ ...object, metadata: ofCluster });
  expect(look.lookAt(Buffer.from(text))).toMatchObject({ ...names, namespace: undefined });
});

it.each([
  '{"metadata":{"name":"a"},"kind":"K","apiVersion":"v1"}',
  '{"metadata":',
  '{"metadata":{"name":"a"}}x',
  '{"a":1,"a":2}',
  '[]',
  '',
  '{"metadata":{"name":1}}',
])('leaves %s to the parser', (text) => {
  expect(look.lookAt(Buffer.from(text))).toBeUndefined();
});
