import { DeleteBackupRequest } from '../../../api/index.ts';
import { isAppError } from '../../../base/index.ts';
import type { ControlDeps } from '../ports.ts';

/**
 * What the clock of the API server says, by what it would write on a new object: a clock of ours that was set forward
 * must not cost anybody his backups. Undefined when the server does not tell, such as one that refuses dry runs.
 */
export async function serverTime(
  { kube, namespace }: Pick<ControlDeps, 'kube' | 'namespace'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { group, version, kind } = DeleteBackupRequest;
  const probe = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: 'what-time-is-it', namespace },
    spec: { backupName: 'none' },
  };
  try {
    const made = await kube.create({ type: DeleteBackupRequest, namespace }, probe, { signal, dryRun: true });
    const time = Date.parse(made.metadata.creationTimestamp ?? '');
    return Number.isNaN(time) ? undefined : time;
  } catch (error) {
    if (isAppError(error) && error.facts.family !== 'transient') return undefined;
    throw error;
  }
}
