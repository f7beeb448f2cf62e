import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileJsonPath } from './json-path.ts';

const OBJECT = {
  spec: { list: [{ n: 1 }, { n: 2 }], 'dotted.key': 'd', map: { a: 'x', b: 'y' } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Stalled', status: 'False' },
    ],
    done: true,
  },
};

describe('compileJsonPath', () => {
  it.each([
    ['.spec.list[0].n', [1]],
    ['.spec.list[-1].n', [2]],
    ['.spec.list[*].n', [1, 2]],
    ['{.spec.list[*].n}', [1, 2]],
    ['$.status.done', [true]],
    [".spec['dotted.key']", ['d']],
    ['.spec.dotted\\.key', ['d']],
    ['.spec.map.*', ['x', 'y']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Stalled')].status", ['False']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Stalled']],
    ['.missing.field', []],
    ['.spec.list[9]', []],
    ['.spec[', []],
    ['..recursive', []],
    ['.__proto__.toString', []],
  ])('%s', (path, expected) => {
    expect(compileJsonPath(path)(OBJECT)).toEqual(expected);
  });

  it('never throws', () => {
    const part = fc.constantFrom('.', '[', ']', '*', '?(', ')', '@', '==', '"', "'", 'a', '0', '\\', '{', '}');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        expect(Array.isArray(compileJsonPath(parts.join(''))(OBJECT))).toBe(true);
      }),
    );
  });
});
