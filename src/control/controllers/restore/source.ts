import { Backup } from '../../../api/index.ts';
import { AppError, isAppError } from '../../../base/index.ts';
import { withPatience } from '../../../edge/store/index.ts';
import type { BackupSource, Reading } from './session.ts';

/** The backup of a restore and the store it is in, which is waited for while it is away. */
export async function openSource(session: Reading): Promise<BackupSource> {
  const { restore, deps, api, signal, run, log } = session;
  const name = restore.spec.backupName ?? '';
  const backup = await api.call(() => readBackup(session, name));
  const { store } = await api.call(() => deps.stores.open(backup.spec.storageLocation ?? '', signal));
  return {
    backup,
    store: withPatience(store, {
      clock: deps.clock,
      log,
      random: deps.random,
      onWaiting: (cause) => {
        run.waiting(cause);
      },
      onResumed: () => {
        run.resumed();
      },
    }),
  };
}

async function readBackup({ deps, signal }: Reading, name: string): Promise<Backup> {
  try {
    return Backup.parse(await deps.kube.get({ type: Backup, namespace: deps.namespace, name }, { signal })).value;
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    throw new AppError('notFound', `cannot restore: there is no backup ${name} any more`, { cause: error });
  }
}
