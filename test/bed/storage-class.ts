import { stringify } from 'yaml';
import { programPath } from './cache.ts';
import type { ClusterFiles } from './cluster-files.ts';
import type { Workplace } from './launch.ts';
import { partNamed } from './parts.ts';
import { run } from './run.ts';

/** The class of claims that name none: kube-controller-manager makes a folder of the node for each. */
export async function makeStorageClass(place: Workplace, files: ClusterFiles): Promise<void> {
  const storageClass = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/host-path',
  };
  await run(programPath(partNamed('kubectl')), {
    args: ['--kubeconfig', files.kubeconfig, 'apply', '-f', '-'],
    input: stringify(storageClass),
    signal: place.signal,
  });
}
