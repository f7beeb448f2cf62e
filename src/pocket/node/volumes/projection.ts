import type {
  ConfigMap,
  DownwardItem,
  KeyToPath,
  Pod,
  Projection,
  Secret,
  Volume,
} from '../../controllers/kinds/index.ts';
import { podField, resourceField, type NodeSize } from '../env/index.ts';

/** A file that a volume shows. */
export interface ProjectedFile {
  /** Relative, and checked by the API server: no dots that lead out. */
  path: string;
  content: Uint8Array;
  mode: number;
}

export interface ProjectionView {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
  podIP: string;
  node: NodeSize;
}

export type Projected =
  | { kind: 'files'; files: ProjectedFile[]; hasEmptyToken: boolean }
  /** What keeps the volume from being mounted, in the words of a kubelet. */
  | { kind: 'problem'; message: string };

const READABLE = 0o644;

class Missing extends Error {}

/** The files of a volume that is made from objects; undefined for all other volumes. */
export function projectedFiles(pod: Pod, volume: Volume, view: ProjectionView): Projected | undefined {
  const sources = sourcesOf(volume);
  if (sources === undefined) return undefined;
  const { list, defaultMode } = sources;
  try {
    const files = new Map<string, ProjectedFile>();
    // The later one of two at the same path counts.
    for (const source of list)
      for (const file of filesOf(pod, source, view)) files.set(file.path, withMode(file, defaultMode));
    return {
      kind: 'files',
      files: [...files.values()],
      hasEmptyToken: list.some(({ serviceAccountToken }) => serviceAccountToken !== undefined),
    };
  } catch (error) {
    if (error instanceof Missing) return { kind: 'problem', message: error.message };
    throw error;
  }
}

type File = Omit<ProjectedFile, 'mode'> & { mode: number | undefined };

function withMode(file: File, defaultMode: number): ProjectedFile {
  return { ...file, mode: file.mode ?? defaultMode };
}

function sourcesOf(volume: Volume): { list: Projection[]; defaultMode: number } | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) return { list: [{ configMap }], defaultMode: configMap.defaultMode ?? READABLE };
  if (secret !== undefined) {
    const { secretName: name, defaultMode = READABLE, ...rest } = secret;
    return { list: [{ secret: { ...rest, name } }], defaultMode };
  }
  if (downwardAPI !== undefined) return { list: [{ downwardAPI }], defaultMode: downwardAPI.defaultMode ?? READABLE };
  if (projected === undefined) return undefined;
  return { list: projected.sources ?? [], defaultMode: projected.defaultMode ?? READABLE };
}

function filesOf(pod: Pod, source: Projection, view: ProjectionView): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap !== undefined) {
    const found = view.configMap(configMap.name);
    if (found === undefined) return none(configMap.optional, `configmap "${configMap.name}" not found`);
    const data = { ...bytesOf(found.data, 'utf8'), ...bytesOf(found.binaryData, 'base64') };
    return chosen(data, configMap, 'configmap references non-existent config key: ');
  }
  if (secret !== undefined) {
    const found = view.secret(secret.name);
    if (found === undefined) return none(secret.optional, `secret "${secret.name}" not found`);
    return chosen(bytesOf(found.data, 'base64'), secret, 'references non-existent secret key: ');
  }
  // A pocket cluster gives pods no token: the file is there for those who look for it, and empty.
  if (serviceAccountToken !== undefined) {
    return [{ path: serviceAccountToken.path, content: new Uint8Array(), mode: undefined }];
  }
  return (downwardAPI?.items ?? []).map((item) => downward(pod, item, view));
}

function none(optional: boolean | undefined, message: string): File[] {
  if (optional === true) return [];
  throw new Missing(message);
}

function bytesOf(data: Readonly<Record<string, string>> = {}, encoding: 'utf8' | 'base64'): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, encoding)]));
}

function chosen(
  data: Readonly<Record<string, Uint8Array>>,
  { items, optional }: { items?: KeyToPath[]; optional?: boolean },
  complaint: string,
): File[] {
  if (items === undefined) {
    return Object.entries(data).map(([path, content]) => ({ path, content, mode: undefined }));
  }
  return items.flatMap(({ key, path, mode }) => {
    const content = Object.hasOwn(data, key) ? data[key] : undefined;
    return content === undefined ? none(optional, `${complaint}${key}`) : [{ path, content, mode }];
  });
}

function downward(pod: Pod, { path, fieldRef, resourceFieldRef, mode }: DownwardItem, view: ProjectionView): File {
  const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const container = all.find(({ name }) => name === resourceFieldRef?.containerName);
  const text =
    resourceFieldRef === undefined || container === undefined
      ? podField(pod, fieldRef?.fieldPath ?? '', view.podIP)
      : resourceField(container, resourceFieldRef, view.node);
  if (text === undefined) throw new Missing(`unsupported field of ${path}`);
  return { path, content: Buffer.from(text), mode };
}
