import { DeleteBackupRequest } from '../../../api/index.ts';
import { isAppError } from '../../../base/index.ts';
import type { ControlDeps } from '../ports.ts';

/**
 * The time of the API server's clock, taken from a dry-run create: if our clock was set forward, nobody must lose
 * backups. Undefined if the server does not say, such as one that refuses dry runs.
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
