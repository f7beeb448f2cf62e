import { describe, expect, it } from 'vitest';
import { builtinSchema, validateBuiltin } from '../schema/index.ts';
import { applyBuiltinDefaults, BUILTINS, snapshotCrds } from './index.ts';

const definition = BUILTINS.find(({ kind }) => kind === 'CustomResourceDefinition')!;

describe('snapshotCrds', () => {
  it('are good definitions of the three kinds', () => {
    const crds = snapshotCrds();
    expect(crds.map((crd) => (crd['metadata'] as { name: string }).name)).toEqual([
      'volumesnapshotclasses.snapshot.storage.k8s.io',
      'volumesnapshotcontents.snapshot.storage.k8s.io',
      'volumesnapshots.snapshot.storage.k8s.io',
    ]);
    for (const crd of crds) {
      expect(builtinSchema(definition)!.check(crd)).toEqual({ unknown: [] });
      expect(validateBuiltin(definition, applyBuiltinDefaults(definition, crd))).toEqual([]);
    }
  });
});
