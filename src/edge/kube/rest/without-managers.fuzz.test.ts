import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../../base/index.ts';
import { parseWithoutManagers } from './without-managers.ts';

/** What is hard on whoever cuts text: its own signs, in names and in values. */
const hard = fc.oneof(
  { weight: 9, arbitrary: fc.string() },
  {
    weight: 1,
    arbitrary: fc.constantFrom('}]', '}],', '}]}', '"managedFields":[', ']', '[{', '\\', '"', '}],"a":{"b":[', '"}],"'),
  },
);
const fields: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.tuple(fc.constantFrom('f:', 'k:', 'v:'), hard).map((parts) => parts.join('')),
  fc.constantFrom<JsonObject>({}, { '.': {} }, { 'f:a': { 'k:{"b":[{}]}': {} } }),
);
const managers = fc.array(
  fc.record({ manager: hard, operation: fc.constantFrom('Apply', 'Update'), fieldsV1: fields }),
  { minLength: 1, maxLength: 3 },
);
const object = fc
  .record({
    annotations: fc.dictionary(hard, hard),
    managedFields: fc.option(managers, { nil: undefined }),
    spec: fc.oneof(fc.jsonValue(), fc.record({ managedFields: managers }), hard),
    isSpecFirst: fc.boolean(),
  })
  .map(({ annotations, managedFields, spec, isSpecFirst }) => {
    const metadata = { name: 'a', annotations, ...(managedFields === undefined ? {} : { managedFields }) };
    return isSpecFirst ? { kind: 'A', data: spec, metadata } : { kind: 'A', metadata, spec };
  });

describe('an object without its managedFields', () => {
  it('is the same in everything else, or is not given', () => {
    let cuts = 0;
    fc.assert(
      fc.property(object, (whole) => {
        const lean = parseWithoutManagers(stringifyJson(whole));
        if (lean === undefined) return;
        cuts += 1;
        const expected = { ...whole, metadata: { ...whole.metadata, managedFields: [] } };
        expect(lean).toEqual(parseJson(stringifyJson(expected)));
      }),
      { numRuns: fuzzRuns(2000) },
    );
    expect(cuts).toBeGreaterThan(100);
  });

  it('is given for what servers write, big integers too', () => {
    const text =
      '{"kind":"A","metadata":{"name":"a","managedFields":[{"manager":"x","fieldsV1":{"f:a":{}}},{"manager":"y"}]},' +
      '"spec":{"n":9007199254740993}}';
    expect(parseWithoutManagers(text)).toEqual({
      ...{ kind: 'A', metadata: { name: 'a', managedFields: [] } },
      spec: { n: 9007199254740993n },
    });
    expect(parseWithoutManagers('{"metadata":{}}')).toBeUndefined();
    expect(parseWithoutManagers('{"metadata":{"managedFields":[{"a":1}]')).toBeUndefined();
    expect(parseWithoutManagers('{"spec":{"managedFields":[{"a":1}]},"metadata":{}}')).toBeUndefined();
  });
});
