import { expect, it } from 'vitest';
import { POD_SPEC_MERGE, mergeType, mergedBy } from './pod-merge-type.ts';
import { applyStrategicPatch } from './strategic-patch.ts';

it('merges containers and their environment by name, volumes by name, and replaces what is no list of either', () => {
  const spec = {
    containers: [{ name: 'container', image: 'a', env: [{ name: 'X', value: '1' }], command: ['x', 'y'] }],
    volumes: [{ name: 'v', emptyDir: {} }],
  };
  const patch = {
    containers: [
      { name: 'container', env: [{ name: 'Y', value: '2' }], command: ['z'] },
      { name: 'side', image: 'b' },
    ],
    nodeSelector: { disk: 'ssd' },
  };
  expect(applyStrategicPatch(spec, patch, POD_SPEC_MERGE)).toEqual({
    containers: [
      {
        name: 'container',
        image: 'a',
        env: [
          { name: 'Y', value: '2' },
          { name: 'X', value: '1' },
        ],
        command: ['z'],
      },
      { name: 'side', image: 'b' },
    ],
    volumes: [{ name: 'v', emptyDir: {} }],
    nodeSelector: { disk: 'ssd' },
  });
});

it('knows only the fields it has', () => {
  expect(mergeType({ a: mergedBy('name') }).field('constructor')).toBeUndefined();
  expect(mergedBy('name', POD_SPEC_MERGE)).toEqual({ strategies: ['merge'], mergeKey: 'name', type: POD_SPEC_MERGE });
});
