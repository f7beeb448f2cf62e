import type { KopiaSecrets } from '../../../edge/volumes/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';
import { checkDirectoryNode, onlyNode } from './directory-node.ts';
import { kopiaBase } from './mover-job.ts';
import { repositoryPassword } from './repository-password.ts';
import type { MoverCall, MoverTask } from './task.ts';

/** What a mover needs for a repository of kopia: where it is, and the keys to it. */
export interface KopiaAccess {
  base: ReturnType<typeof kopiaBase>;
  secrets: KopiaSecrets;
  /** A location in a directory of the node. */
  directory?: string;
}

export async function kopiaAccess(
  { location, node }: Pick<MoverTask, 'location' | 'node'>,
  repositoryNamespace: string,
  { kube, namespace, machineId }: { kube: Kube; namespace: string; machineId: string | undefined },
  { api, signal }: Pick<MoverCall, 'api' | 'signal'>,
): Promise<KopiaAccess> {
  const [access, { password }] = await Promise.all([
    location.access(),
    api(signal).call(() => repositoryPassword(kube, namespace, signal)),
  ]);
  const base = kopiaBase(location, access, repositoryNamespace);
  if (access.kind === 's3') {
    const { accessKeyId, secretAccessKey, sessionToken } = access.keys;
    return { base, secrets: { password, accessKeyId, secretAccessKey, sessionToken, caCert: access.caCertPem } };
  }
  // A mover that may run anywhere has only one place to go where there is only one node.
  const at = node ?? (await onlyNode(kube, signal));
  await checkDirectoryNode({ node: at, location: location.name }, { kube, machineId }, signal);
  return { base, secrets: { password }, directory: access.directory };
}
