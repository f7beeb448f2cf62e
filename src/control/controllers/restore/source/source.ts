import { Backup } from '../../../../api/index.ts';
import { AppError, isAppError } from '../../../../base/index.ts';
import { moverLocation } from '../../stores/index.ts';
import type { BackupSource, ReadContext } from '../context.ts';

/** The backup of a restore and its store; the caller must dispose of it. */
export async function openSource(context: ReadContext): Promise<BackupSource> {
  const { restore, deps, api, signal } = context;
  const name = restore.spec.backupName ?? '';
  const backup = await api.call(() => readBackup(context, name));
  const opened = await api.call(() => deps.stores.open(backup.spec.storageLocation ?? '', signal));
  const store = context.patient(opened.store);
  return {
    backup,
    store,
    location: moverLocation(opened, store),
    [Symbol.dispose]: () => {
      opened[Symbol.dispose]();
    },
  };
}

async function readBackup({ deps, signal }: ReadContext, name: string): Promise<Backup> {
  try {
    return Backup.parse(await deps.kube.get({ type: Backup, namespace: deps.namespace, name }, { signal })).value;
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    throw new AppError('notFound', `cannot restore: backup ${name} no longer exists`, { cause: error });
  }
}
