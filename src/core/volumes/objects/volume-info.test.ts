import { expect, it } from 'vitest';
import { skippedVolume } from './volume-info.ts';

it('tells of a volume that was skipped as Velero does', () => {
  const volume = { metadata: { name: 'shop-data' }, spec: { persistentVolumeReclaimPolicy: 'Retain' } };
  expect(skippedVolume({ namespace: 'shop', name: 'data' }, 'why', volume)).toEqual({
    ...{
      pvcName: 'data',
      pvcNamespace: 'shop',
      pvName: 'shop-data',
      snapshotDataMoved: false,
      preserveLocalSnapshot: false,
    },
    ...{ skipped: true, skippedReason: 'why', pvInfo: { reclaimPolicy: 'Retain', labels: null } },
  });
});
