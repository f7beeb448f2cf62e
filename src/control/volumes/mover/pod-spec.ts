import type { JsonObject } from '../../../base/index.ts';

/** What a mover's pod is made from. */
export interface MoverPod {
  image: string;
  /** The Secret with the job and the keys. */
  secret: string;
  /** Absent for work on a repository alone. */
  claim?: string | undefined;
  node?: string | undefined;
  isReadOnly: boolean;
  /** The directory of a location that is one. */
  directory?: string | undefined;
  /** The archive goes through an exec, so the pod itself only waits. */
  isTalkedTo: boolean;
}

/** Where things are in a mover's pod. */
export const MOVER_PATHS = {
  /** In a directory that can be written to: kopia makes a file beside the directory that it restores. */
  volume: '/headway/scratch/volume',
  job: '/headway/job',
  jobFile: '/headway/job/job.json',
  scratch: '/headway/scratch',
  repository: '/headway/repository',
} as const;

export const MOVER_CONTAINER = 'mover';
/** What a pod that is talked to prints when it can be. */
export const READY = 'ready';

/** To end a run of kopia, and to remove what it stored. Who cancels waits no longer than 15 s, all in all. */
const GRACE_SECONDS = 12;
const READING = ['DAC_READ_SEARCH'];
const WRITING = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID'];
const RESOURCES = { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '4', memory: '2Gi' } };
const SCRATCH_LIMIT = '8Gi';

const END = `${MOVER_PATHS.scratch}/end`;
/** Waits for the exit code of the mover that is run in it. */
const HOLD = `mkfifo ${END} && echo ${READY} && read code < ${END} && exit "$code"`;
/** The mover in a pod that waits; its output is the archive. */
export const TALK: readonly string[] = [
  'sh',
  '-c',
  `headway mover ${MOVER_PATHS.jobFile}; code=$?; echo $code > ${END}; exit $code`,
];

/** No rights but to read, or to restore, the files of one volume. */
export function moverPodSpec(pod: MoverPod): JsonObject {
  const { secret, claim, node, isReadOnly, directory, isTalkedTo } = pod;
  const command = isTalkedTo ? ['sh', '-c', HOLD] : ['headway', 'mover', MOVER_PATHS.jobFile];
  const mounts: JsonObject[] = [
    { name: 'job', mountPath: MOVER_PATHS.job, readOnly: true },
    { name: 'scratch', mountPath: MOVER_PATHS.scratch },
  ];
  const volumes: JsonObject[] = [
    { name: 'job', secret: { secretName: secret, defaultMode: 0o400 } },
    { name: 'scratch', emptyDir: { sizeLimit: SCRATCH_LIMIT } },
  ];
  if (claim !== undefined) {
    mounts.push({ name: 'volume', mountPath: MOVER_PATHS.volume, readOnly: isReadOnly });
    volumes.push({ name: 'volume', persistentVolumeClaim: { claimName: claim } });
  }
  if (directory !== undefined) {
    mounts.push({ name: 'repository', mountPath: MOVER_PATHS.repository });
    volumes.push({ name: 'repository', hostPath: { path: directory, type: 'DirectoryOrCreate' } });
  }
  return {
    ...(node === undefined ? {} : { affinity: onNode(node) }),
    // The volume is where it is, whatever else must not run there.
    tolerations: [{ operator: 'Exists' }],
    enableServiceLinks: false,
    terminationGracePeriodSeconds: isTalkedTo ? 1 : GRACE_SECONDS,
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: MOVER_CONTAINER,
        image: pod.image,
        command,
        env: [
          { name: 'HOME', value: MOVER_PATHS.scratch },
          { name: 'TMPDIR', value: MOVER_PATHS.scratch },
        ],
        resources: RESOURCES,
        securityContext: {
          runAsUser: 0,
          runAsGroup: 0,
          runAsNonRoot: false,
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'], add: isReadOnly ? READING : WRITING },
          seccompProfile: { type: 'RuntimeDefault' },
        },
        volumeMounts: mounts,
      },
    ],
    volumes,
  };
}

/** By way of the scheduler, which says what is in the way. */
function onNode(name: string): JsonObject {
  const fields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  const terms = { nodeSelectorTerms: [{ matchFields: fields }] };
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } };
}
