import { NODE } from '../../../api/index.ts';
import { AppError, textAt } from '../../../base/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';
import { readObject } from '../../runtime/objects/index.ts';

/**
 * A location in a directory is on this server's machine, and only a mover on the same machine can use it. Throws if the
 * node is another one.
 */
export async function checkDirectoryNode(
  { node, location }: { node: string | undefined; location: string },
  { kube, machineId }: { kube: Kube; machineId: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const found = node === undefined ? undefined : await readObject({ type: NODE, name: node }, { kube }, signal);
  const info = (field: string): string => textAt(found, 'status', 'nodeInfo', field) ?? '';
  // A pocket cluster is on the machine of whoever uses it.
  if (info('containerRuntimeVersion').startsWith('pocket://')) return;
  if (machineId !== undefined && info('machineID') === machineId) return;
  const where = node === undefined ? 'a mover that may run anywhere' : `a mover on node ${node}`;
  throw new AppError(
    'invalidConfig',
    `use location ${location}: it is a directory of the server's machine, which ${where} does not see`,
    { details: { hint: 'use a location in S3' } },
  );
}

/** Undefined where there are several, or none. */
export async function onlyNode(kube: Kube, signal: AbortSignal): Promise<string | undefined> {
  const names: string[] = [];
  for await (const { items } of kube.list({ type: NODE }, { limit: 2, signal })) {
    for (const { metadata } of items) names.push(metadata.name);
    if (names.length > 1) return undefined;
  }
  return names[0];
}
