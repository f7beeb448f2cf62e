import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { chown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADWAY_POD_LABEL } from '../../../api/meta/pod-labels.ts';
import { messageOf } from '../../../base/index.ts';
import type { Claim, Pod, Volume, VolumeObject } from '../../controllers/kinds/index.ts';
import { showFiles } from './atomic-files.ts';
import { areNested, hostPathProblem } from './host-path.ts';
import { projectedFiles, type ProjectionView } from './projection.ts';

export interface VolumeView extends ProjectionView {
  claim(name: string): Claim | undefined;
  volume(name: string): VolumeObject | undefined;
}

export interface VolumePlaces {
  /** Of this pod, for what is made for it. */
  dir: string;
  /** Of the cluster: what no pod may see. */
  hidden: readonly string[];
  /** Of what is hidden: what a mover of Headway may mount. */
  stores: readonly string[];
  /** Below which the directories of claims are, although it is hidden. */
  claims: string;
  /** Of the machine: owners can be changed. */
  isRoot: boolean;
}

export type MountedVolume =
  { kind: 'source'; path: string; isReadOnly: boolean; hasEmptyToken: boolean } | { kind: 'problem'; message: string };

/** Volumes that are folders or files of the machine, or can be made to be. */
const KNOWN = [
  'configMap',
  'secret',
  'downwardAPI',
  'projected',
  'emptyDir',
  'hostPath',
  'persistentVolumeClaim',
  'ephemeral',
];

/** A kind of volume that this machine has nothing for; undefined when there is none. */
export function unknownVolume({ spec }: Pod): string | undefined {
  for (const volume of spec.volumes ?? []) {
    const kind = Object.keys(volume).find((key) => key !== 'name');
    if (kind !== undefined && !KNOWN.includes(kind))
      return `volume "${volume.name}" is a ${kind}, which a pocket cluster has not`;
  }
  const blocks = [...spec.containers, ...(spec.initContainers ?? [])].some(
    ({ volumeDevices = [] }) => volumeDevices.length > 0,
  );
  return blocks ? 'block devices are nothing that a pocket cluster has' : undefined;
}

/** Makes a volume ready for the containers of its pod. Called again when an object has changed that it shows. */
export async function mountVolume(
  pod: Pod,
  volume: Volume,
  view: VolumeView,
  { places, stamp }: { places: VolumePlaces; stamp: string },
): Promise<MountedVolume> {
  const dir = join(places.dir, volume.name);
  const source = (path: string, more: { isReadOnly?: boolean; hasEmptyToken?: boolean } = {}): MountedVolume => {
    return { kind: 'source', path, isReadOnly: false, hasEmptyToken: false, ...more };
  };
  try {
    const projected = projectedFiles(pod, volume, view);
    if (projected?.kind === 'problem') return projected;
    if (projected !== undefined) {
      await showFiles(dir, projected.files, stamp);
      await giveToGroup(pod, dir, places);
      return source(dir, { isReadOnly: true, hasEmptyToken: projected.hasEmptyToken });
    }
    if (volume.hostPath !== undefined) return hostPath(pod, volume.hostPath, places) ?? source(volume.hostPath.path);
    if (volume.emptyDir !== undefined) {
      if (!existsSync(dir)) mkdirSync(dir, { recursive: true });
      chmodSync(dir, 0o777);
      await giveToGroup(pod, dir, places);
      return source(dir);
    }
    return await ofClaim(pod, volume, view, places);
  } catch (error) {
    return { kind: 'problem', message: messageOf(error) };
  }
}

function hostPath(
  pod: Pod,
  wanted: { path: string; type?: string },
  { hidden, stores }: VolumePlaces,
): MountedVolume | undefined {
  const message = hostPathProblem(wanted);
  if (message !== undefined) return { kind: 'problem', message };
  const real = realpathSync(wanted.path);
  const isMover = pod.metadata.labels?.[HEADWAY_POD_LABEL] === 'mover';
  if (isMover && stores.some((one) => isBelow(real, one))) return undefined;
  return hidden.some((one) => areNested(real, one))
    ? { kind: 'problem', message: `${wanted.path} holds files of the pocket cluster itself, which no pod may see` }
    : undefined;
}

function isBelow(path: string, folder: string): boolean {
  return existsSync(folder) && path.startsWith(`${realpathSync(folder)}/`);
}

async function ofClaim(pod: Pod, volume: Volume, view: VolumeView, places: VolumePlaces): Promise<MountedVolume> {
  const { persistentVolumeClaim } = volume;
  const name = persistentVolumeClaim?.claimName ?? `${pod.metadata.name}-${volume.name}`;
  const claim = view.claim(name);
  if (claim === undefined) return { kind: 'problem', message: `persistentvolumeclaim "${name}" not found` };
  const bound = view.volume(claim.spec.volumeName ?? '');
  if (bound === undefined) return { kind: 'problem', message: `PVC is not bound` };
  const path = bound.spec.local?.path ?? bound.spec.hostPath?.path;
  if (path === undefined) {
    const kind = 'a pocket cluster can mount volumes of the kinds local and hostPath only';
    return { kind: 'problem', message: `volume "${bound.metadata.name}": ${kind}` };
  }
  if (!existsSync(path)) return { kind: 'problem', message: `path "${path}" does not exist` };
  const real = realpathSync(path);
  const isOwn = real.startsWith(`${realpathSync(places.claims)}/`);
  if (!isOwn && places.hidden.some((one) => areNested(real, one))) {
    return { kind: 'problem', message: `${path} holds files of the pocket cluster itself, which no pod may see` };
  }
  if (isOwn) await giveToGroup(pod, real, places);
  return { kind: 'source', path: real, isReadOnly: persistentVolumeClaim?.readOnly === true, hasEmptyToken: false };
}

/** What a pod shares with its group belongs to that group, and so does what comes into it later. */
async function giveToGroup({ spec }: Pod, dir: string, { isRoot }: VolumePlaces): Promise<void> {
  const group = spec.securityContext?.fsGroup;
  if (group === undefined || !isRoot) return;
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) await chown(join(entry.parentPath, entry.name), 0, group);
  }
  await chown(dir, 0, group);
  chmodSync(dir, 0o2777);
}
