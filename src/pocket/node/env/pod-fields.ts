import type { Pod } from '../../controllers/kinds/index.ts';
import { NODE_IP } from '../node-object.ts';

const BY_KEY = /^metadata\.(labels|annotations)\['([^']+)'\]$/;

const FIELDS: Readonly<Record<string, (pod: Pod, podIP: string) => string | undefined>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace,
  'metadata.uid': ({ metadata }) => metadata.uid,
  'metadata.labels': ({ metadata }) => lines(metadata.labels),
  'metadata.annotations': ({ metadata }) => lines(metadata.annotations),
  'spec.nodeName': ({ spec }) => spec.nodeName,
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
  'status.hostIP': () => NODE_IP,
  'status.hostIPs': () => NODE_IP,
  'status.podIP': (_pod, podIP) => podIP,
  'status.podIPs': (_pod, podIP) => podIP,
};

/** What a pod says of itself under a field path; undefined for a path that nobody may ask for. */
export function podField(pod: Pod, path: string, podIP: string): string | undefined {
  const [, map, key = ''] = BY_KEY.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return pod.metadata[map]?.[key] ?? '';
  const read = Object.hasOwn(FIELDS, path) ? FIELDS[path] : undefined;
  return read === undefined ? undefined : (read(pod, podIP) ?? '');
}

/** One key to a line, in order, its value quoted. */
function lines(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .toSorted()
    .map((key) => `${key}=${JSON.stringify(map[key])}`)
    .join('\n');
}
