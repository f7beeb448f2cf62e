import { Backup } from '../../../../api/index.ts';
import { AppError, isNamespaceName, isObjectName, textAt } from '../../../../base/index.ts';
import { isSnapshotId } from '../../../../core/volumes/index.ts';
import { NO_WAIT } from '../../../operation/index.ts';
import { timeLimit } from '../../../runtime/index.ts';
import { CALL_DEADLINE_MS } from '../../../runtime/objects/index.ts';
import { LIST_MS, type MoverCall } from '../../../volumes/index.ts';
import type { ControlDeps } from '../../ports.ts';
import { moverLocation } from '../../stores/index.ts';

/** A volume of a backup that kopia has copied. */
export interface ListedVolume {
  backup: string;
  /** For this list alone: two that are made at the same time have pods of their own. */
  id: string;
  /** Whose repository it is in; the namespace itself need not be there any more. */
  repositoryNamespace: string;
  snapshotID: string;
  maxBytes: number;
}

export interface ListingCall {
  /** Ends the work; pod and Secret are removed before it throws. */
  signal: AbortSignal;
  /** Files as lines of JSON, from the beginning whenever it is called: a lost mover is tried again. */
  keep: (list: AsyncIterable<Uint8Array>) => Promise<void>;
  onProgress: (entries: number) => void;
  onNote: (text: string) => void;
  /** What it waits for, and undefined when that is over. */
  onWaiting: (cause: string | undefined) => void;
}

/** To remove a pod and its Secret after everything else is over. */
const CLEAN_UP_MS = 120_000;

/** Lists the files of a volume, by a mover in the server's own namespace. */
export async function listVolume(volume: ListedVolume, deps: ControlDeps, call: ListingCall): Promise<void> {
  const { backup, id, repositoryNamespace, snapshotID, maxBytes } = volume;
  const what = `list the files of volume ${id}`;
  // Whoever may write to the location may have written anything there.
  if (!isObjectName(id) || !isNamespaceName(repositoryNamespace) || !isSnapshotId(snapshotID)) {
    throw new AppError('invalid', `${what}: the backup names no valid kopia snapshot of it`);
  }
  let why = 'it has not begun';
  const late = (): AppError => new AppError('timeout', `${what}: not done after ${LIST_MS / 60_000} minutes: ${why}`);
  const limit = timeLimit(call.signal, LIST_MS, { clock: deps.clock, late });
  const { signal } = limit;
  try {
    const { kube, namespace } = deps;
    const object = await kube.get({ type: Backup, namespace, name: backup }, { signal, deadlineMs: CALL_DEADLINE_MS });
    using opened = await deps.stores.open(textAt(object, 'spec', 'storageLocation') ?? 'default', signal);
    const mover: MoverCall = {
      signal,
      lasting: AbortSignal.timeout(LIST_MS + CLEAN_UP_MS),
      // Nobody comes back for it.
      isCanceled: () => true,
      api: () => ({ call: (request) => request() }),
      onProgress: ({ filesDone }) => {
        if (filesDone !== undefined) call.onProgress(filesDone);
      },
      onNote: call.onNote,
      onWaiting: (cause) => {
        const tell = ({ message }: AppError): void => {
          why = message;
          call.onWaiting(message);
        };
        tell(cause);
        const end = (): void => {
          call.onWaiting(undefined);
        };
        return { ...NO_WAIT, tell, end };
      },
    };
    const owner = { type: Backup, object };
    const location = moverLocation(opened, opened.store);
    const task = { id, owner, location, repositoryNamespace, snapshotID, maxBytes };
    await deps.movers.list(task, mover, call.keep);
  } finally {
    limit.end();
  }
}
