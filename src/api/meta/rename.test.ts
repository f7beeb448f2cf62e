import fc from 'fast-check';
import { expect, it } from 'vitest';
import { actionRenames } from '../kanister/action-renames.ts';
import { applyRenames, withUpstreamNames, type Rename } from './rename.ts';

const rename = (at: string, from: string, to: string): Rename => ({ at, from, to, source: 'test' });

it('reads other names as upstream’s, without touching what was given', () => {
  const given = { status: { list: [{ Size: 1 }, { size: 2, Size: 3 }, 7] }, spec: { Size: 4 } };
  const before = structuredClone(given);
  const read = withUpstreamNames(given, [rename('status.list[]', 'Size', 'size')]);
  expect(read).toEqual({ status: { list: [{ size: 1 }, { size: 2 }, 7] }, spec: { Size: 4 } });
  expect(given).toEqual(before);
  expect(read.spec).toBe(given.spec);
});

it('copies nothing where nothing is to be renamed', () => {
  const given = { status: { actions: [{ phases: [{ progress: { progressPercent: '30' } }] }] } };
  expect(withUpstreamNames(given, actionRenames)).toBe(given);
});

it('reads whatever comes as the reader that changes its own copy does', () => {
  const key = fc.constantFrom('status', 'actions', 'phases', 'progress', 'SizeUploadedB', 'sizeUploadedB', '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.integer(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value), (given) => {
      const changed = structuredClone(given);
      applyRenames(changed, actionRenames);
      expect(withUpstreamNames(given, actionRenames)).toEqual(changed);
    }),
  );
});
