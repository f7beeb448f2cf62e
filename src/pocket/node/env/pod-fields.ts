import type { Pod } from '../../controllers/kinds/index.ts';
import { NODE_IP } from '../node-object.ts';

const BY_KEY = /^metadata\.(labels|annotations)\['([^']+)'\]$/;

/** What a pod says of itself under a field path; undefined for a path that nobody may ask for. */
export function podField(pod: Pod, path: string, podIP: string): string | undefined {
  const { metadata, spec } = pod;
  const [, map, key = ''] = BY_KEY.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return metadata[map]?.[key] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
      return lines(metadata.labels);
    case 'metadata.annotations':
      return lines(metadata.annotations);
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return NODE_IP;
    case 'status.podIP':
    case 'status.podIPs':
      return podIP;
    default:
      return undefined;
  }
}

/** One key to a line, in order, its value quoted. */
function lines(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .toSorted()
    .map((key) => `${key}=${JSON.stringify(map[key])}`)
    .join('\n');
}
