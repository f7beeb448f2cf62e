import type { JsonObject } from '../../../base/index.ts';
import type { Claim, StorageClass } from '../kinds/index.ts';
import { NODE_NAME } from '../node-name.ts';
import { PROVISIONED_BY } from './claim-state.ts';

/** Makes a directory for every claim. */
export const PROVISIONER = 'pocket.headway.io/directory';

/** One that gives a volume at once and deletes it with its claim, one that waits for a pod and keeps it. */
export const POCKET_CLASSES: readonly (JsonObject & { metadata: JsonObject & { name: string } })[] = [
  {
    metadata: { name: 'pocket', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'Immediate',
  },
  {
    metadata: { name: 'pocket-retain' },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Retain',
    volumeBindingMode: 'WaitForFirstConsumer',
  },
];

interface Origin {
  claim: Claim;
  storageClass: StorageClass;
  path: string;
}

export function provisionedVolume(name: string, { claim, storageClass, path }: Origin): JsonObject {
  const { namespace = '', name: claimName, uid = '', resourceVersion = '' } = claim.metadata;
  const { accessModes = ['ReadWriteOnce'], volumeMode = 'Filesystem', resources } = claim.spec;
  return {
    metadata: {
      name,
      annotations: { [PROVISIONED_BY]: PROVISIONER },
      finalizers: ['kubernetes.io/pv-protection'],
    },
    spec: {
      capacity: { storage: resources?.requests?.storage ?? '0' },
      accessModes: [...accessModes],
      claimRef: { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name: claimName, uid, resourceVersion },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      volumeMode,
      local: { path },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [NODE_NAME] }] },
          ],
        },
      },
    },
  };
}
