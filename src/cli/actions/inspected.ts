import type { ServerFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';
import { pathOf, type Served } from './find-server.ts';

export interface InspectFlags extends ServerFlags {
  item?: string;
  diff?: string;
  inNamespace?: string;
  kind?: string;
  search?: string;
  items?: true;
  volumes?: true;
  files?: string;
  output?: 'json' | 'yaml';
}

export interface Inspected {
  deps: CliDeps;
  served: Served;
  backup: string;
  flags: InspectFlags;
}

/** The route of a backup, or of something in it. */
export function pathFor({ served, flags }: Inspected, backup: string, rest = ''): string {
  return pathOf('backups', { cluster: served.cluster, kind: 'Backup', namespace: flags.namespace, name: backup }, rest);
}
