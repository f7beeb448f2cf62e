import type { JsonObject } from '../../../base/index.ts';
import { sha256Hex } from '../../../base/index.ts';
import { BACKGROUND_CONTAINER, INIT_CONTAINER, MAIN_CONTAINER, OUTPUT_CONTAINER } from './override.ts';

export interface JobPod {
  image: string;
  command: readonly string[];
  serviceAccount?: string | undefined;
  /** Claim → where it is mounted. */
  volumes?: Readonly<Record<string, { path: string; isReadOnly?: boolean }>>;
}

/** The pod of a function that runs one command, before overrides. */
export function jobPodSpec({ image, command, serviceAccount, volumes = {} }: JobPod): JsonObject {
  const mounts = Object.entries(volumes).map(([claim, { path, isReadOnly = false }]) => ({
    name: volumeName(claim),
    mountPath: path,
    ...(isReadOnly && { readOnly: true }),
  }));
  const claims = Object.entries(volumes).map(([claim, { isReadOnly = false }]) => ({
    name: volumeName(claim),
    persistentVolumeClaim: { claimName: claim, ...(isReadOnly && { readOnly: true }) },
  }));
  return {
    containers: [
      {
        name: MAIN_CONTAINER,
        image,
        command: [...command],
        imagePullPolicy: 'IfNotPresent',
        ...(mounts.length > 0 && { volumeMounts: mounts }),
      },
    ],
    restartPolicy: 'Never',
    ...(claims.length > 0 && { volumes: claims }),
    ...(serviceAccount !== undefined && serviceAccount !== '' && { serviceAccountName: serviceAccount }),
  };
}

/** Upstream's are random; ours are the same each time, and a claim's name may be too long. */
function volumeName(claim: string): string {
  return `vol-${sha256Hex(claim).slice(0, 12)}`;
}

export interface PairPod {
  output: { image: string; command: readonly string[] };
  background: { image: string; command: readonly string[] };
  init?: { image: string; command: readonly string[] } | undefined;
  shared: { path: string; medium?: string | undefined; sizeLimit?: string | undefined };
  serviceAccount?: string | undefined;
}

/** The pod of MultiContainerRun, before overrides. */
export function pairPodSpec({ output, background, init, shared, serviceAccount }: PairPod): JsonObject {
  const volumeMounts = [{ name: 'shared', mountPath: shared.path }];
  const container = (name: string, { image, command }: PairPod['output']): JsonObject => ({
    name,
    image,
    command: [...command],
    volumeMounts,
  });
  const emptyDir = {
    ...(shared.medium !== undefined && shared.medium !== '' && { medium: shared.medium }),
    ...(shared.sizeLimit !== undefined && shared.sizeLimit !== '' && { sizeLimit: shared.sizeLimit }),
  };
  return {
    restartPolicy: 'Never',
    volumes: [{ name: 'shared', emptyDir }],
    ...(init !== undefined && { initContainers: [container(INIT_CONTAINER, init)] }),
    containers: [container(OUTPUT_CONTAINER, output), container(BACKGROUND_CONTAINER, background)],
    ...(serviceAccount !== undefined && serviceAccount !== '' && { serviceAccountName: serviceAccount }),
  };
}
