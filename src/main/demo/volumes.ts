import type { JsonObject } from '../../base/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { sayIn } from './pod-of.ts';

/** A volume of the sample: the pod's container and label have the name of the workload. */
interface SampleVolume {
  namespace: string;
  name: string;
  claim: string;
  files: number;
  fileBytes: number;
}

/** Frozen by its hooks while its volume is copied. */
export const LEDGER: SampleVolume = {
  namespace: 'shop',
  name: 'ledger',
  claim: 'ledger',
  files: 50,
  fileBytes: 1_000_000,
};
const UPLOADS: SampleVolume = {
  namespace: 'media',
  name: 'uploads',
  claim: 'data-uploads-0',
  files: 1000,
  fileBytes: 100_000,
};
/** About 150 MB: large enough to see it move, small enough for a first try. */
export const VOLUMES: readonly SampleVolume[] = [LEDGER, UPLOADS];

/** Of a container that fills the volume once. A restored pod finds it filled, or its files would not be the same. */
export function fillOf({ files, fileBytes }: SampleVolume): string {
  const fill = `head -c ${files * fileBytes} /dev/urandom | split -a 4 -b ${fileBytes} - /data/filling/file-`;
  return `[ -e /data/files ] || { rm -rf /data/filling && mkdir /data/filling && ${fill} && mv /data/filling /data/files; }`;
}

/** A StatefulSet whose claim comes from its template. */
export function uploadsSpec(): JsonObject {
  const { name } = UPLOADS;
  const labels = { app: name };
  const mounted = { image: 'busybox:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const wait = 'trap exit TERM; while :; do sleep 1; done';
  return {
    replicas: 1,
    serviceName: name,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 1,
        initContainers: [{ ...mounted, name: 'fill', command: ['sh', '-c', fillOf(UPLOADS)] }],
        containers: [{ ...mounted, name, command: ['sh', '-c', wait] }],
      },
    },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claimSpec('1Gi') }],
  };
}

export function claimSpec(storage: string): JsonObject {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
}

export interface VolumeComparison {
  files: number;
  differences: string[];
}

const SUMS = 'cd /data/files && echo $(ls | wc -l) $(sha256sum * | sha256sum)';

/** Reads every file of every volume and of its copy, in the pods that have them. */
export async function compareVolumes(
  kube: KubeClient,
  copyOf: (namespace: string) => string,
  signal: AbortSignal,
): Promise<VolumeComparison> {
  const result: VolumeComparison = { files: 0, differences: [] };
  for (const { namespace, name, claim, files } of VOLUMES) {
    const places = [namespace, copyOf(namespace)];
    const [original = '', copy] = await Promise.all(
      places.map((place) => sayIn(kube, { namespace: place, name, script: SUMS }, signal)),
    );
    result.files += Number.parseInt(original, 10);
    if (!original.startsWith(`${files} `)) result.differences.push(`volume ${namespace}/${claim} lost files`);
    if (original !== copy) result.differences.push(`volume ${namespace}/${claim} differs from its copy`);
  }
  return result;
}
