import { DeleteBackupRequest } from '../../../api/index.ts';
import { serverTime as timeOfServer } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';

/** The time of the API server's clock: if our clock was set forward, nobody must lose backups. */
export async function serverTime(
  { kube, namespace }: Pick<ControlDeps, 'kube' | 'namespace'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const fields = { spec: { backupName: 'none' } };
  return await timeOfServer(kube, { type: DeleteBackupRequest, namespace, fields }, signal);
}
