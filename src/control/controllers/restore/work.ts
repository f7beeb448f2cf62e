import { Restore } from '../../../api/index.ts';
import { isAppError, messageOf, toAppError } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { boundedText, toTime } from '../../runtime/objects/index.ts';
import type { EndState } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';
import { announceEnd } from './announce.ts';
import { bringBack } from './bring-back.ts';
import { storeEndingFiles } from './ending-files.ts';
import { openSession, type OpenSession } from './open-session.ts';
import type { RestoreSettings } from './options.ts';
import { RestoredItems } from './restored-items.ts';
import type { BackupSource, Session } from './session.ts';
import { openSource } from './source.ts';
import { isCancel } from './stops.ts';

/** One restore from the moment it is InProgress to its end; goes on with one that another process began. */
export async function performRestore(
  object: KubeObject,
  deps: ControlDeps,
  settings: RestoreSettings,
  signal: AbortSignal,
): Promise<void> {
  const restore = Restore.parse(object).value;
  const opened = await openSession({ object, restore, deps, settings, signal });
  const { session, run, log } = opened;
  const restored = new RestoredItems();
  const ending = await attempt(session, restored);
  const uid = object.metadata.uid ?? '';
  if (ending === 'left') {
    await run.leave();
    await deps.logs.close(uid, { keep: true });
    return;
  }
  log.info('restore ends', { state: ending.state, reason: ending.reason });
  await storeFiles(opened, ending, restored, deps.term());
  const result = await run.finish(ending.state, {
    phase: ending.phase,
    completionTimestamp: toTime(deps.clock.now()),
    ...(ending.reason === undefined ? {} : { failureReason: boundedText(ending.reason) }),
  });
  if (result === 'written') announceEnd(deps, session, { ...ending, counts: run.report.counts });
  await deps.logs.close(uid, { keep: result === 'abandoned' });
}

interface Ending {
  state: EndState;
  phase: 'Completed' | 'PartiallyFailed' | 'Failed';
  reason?: string;
  /** Where the files go; absent when the store was never reached. */
  source?: BackupSource;
}

/** `left` when this process has to stop: somebody else goes on. */
async function attempt(session: Session, restored: RestoredItems): Promise<Ending | 'left'> {
  const { signal, messages } = session;
  let source: BackupSource | undefined;
  try {
    signal.throwIfAborted();
    source = await openSource(session);
    await bringBack(session, source, restored);
    return messages.counts().errors > 0
      ? { state: 'partiallyFailed', phase: 'PartiallyFailed', source }
      : { state: 'completed', phase: 'Completed', source };
  } catch (error) {
    if (signal.aborted && !isCancel(signal.reason)) return 'left';
    return { ...failed(session, error), ...(source === undefined ? {} : { source }) };
  }
}

function failed({ signal, log, run, messages }: Session, error: unknown): Ending {
  if (signal.aborted) {
    const message = messageOf(signal.reason);
    run.setCondition({ type: 'Canceled', status: 'True', reason: 'Canceled', message });
    return { state: 'canceled', phase: 'Failed', reason: 'canceled' };
  }
  const { code, message } = toAppError(error);
  const stack = !isAppError(error) && error instanceof Error ? error.stack : undefined;
  log.error('restore failed', { code, err: message, stack });
  messages.add({ level: 'errors', about: 'operation', text: message });
  return { state: 'failed', phase: 'Failed', reason: message };
}

/** For those who canceled, the end must not take as long as a store may be away. */
const CANCELED_LIMIT_MS = 20_000;

async function storeFiles(
  opened: OpenSession,
  { source, state }: Ending,
  restored: RestoredItems,
  term: AbortSignal,
): Promise<void> {
  if (source === undefined) return;
  const signal = state === 'canceled' ? AbortSignal.any([term, AbortSignal.timeout(CANCELED_LIMIT_MS)]) : term;
  await storeEndingFiles(opened, { store: source.store, items: restored, signal });
}
