import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMergePatch, type JsonObject } from '../../../base/index.ts';
import { statusPatch } from './status-patch.ts';

describe('statusPatch', () => {
  it('writes only what changed', () => {
    const current = { phase: 'InProgress', progress: { percent: 5, stage: 'listing' } };
    expect(statusPatch(current, { phase: 'InProgress', progress: { percent: 6, stage: 'listing' } })).toEqual({
      progress: { percent: 6 },
    });
  });

  it('removes what an owned field no longer has, and leaves the fields of others alone', () => {
    const current = { warnings: 3, progress: { percent: 5, etaSeconds: 12 } };
    expect(statusPatch(current, { progress: { percent: 5 } })).toEqual({ progress: { etaSeconds: null } });
  });

  it('has nothing to do when all is there, in whatever order', () => {
    const current = { conditions: [{ type: 'A', status: 'True' }], big: 2n ** 60n };
    expect(
      statusPatch(current, { big: 2n ** 60n, conditions: [{ status: 'True', type: 'A' }], gone: undefined }),
    ).toBeUndefined();
  });

  it('begins a status that is not there', () => {
    expect(statusPatch(undefined, { phase: 'New', progress: { percent: 0, eta: undefined } })).toEqual({
      phase: 'New',
      progress: { percent: 0 },
    });
  });

  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }));
  const name = fc.constantFrom('a', 'b', 'c');
  const inner = fc.dictionary(name, leaf);
  const status = fc.dictionary(name, fc.oneof(leaf, inner, fc.dictionary(name, fc.oneof(leaf, inner))));

  it('turns any status into the desired one, and then has nothing more to do', () => {
    fc.assert(
      fc.property(status, status, (current, desired) => {
        const patch = statusPatch(current, desired);
        const result = applyMergePatch(current, patch ?? {});
        expect(result).toEqual({ ...current, ...desired });
        expect(statusPatch(result, desired as JsonObject)).toBeUndefined();
      }),
    );
  });
});
