import { phaseAfterItems } from '../../../core/restore/index.ts';
import { RETRY_ANNOTATION } from '../../../core/operations/index.ts';
import { collectItems } from './collect-items.ts';
import { ExecHooks } from './exec-hooks.ts';
import { fetchArchive } from './fetch-archive.ts';
import { restoreItems } from './restore-items.ts';
import type { RestoredItems } from './restored-items.ts';
import { failedItemsOf } from './retry-of.ts';
import { ServedTypes } from './served-types.ts';
import type { BackupSource, Session } from './session.ts';
import { readUserRules } from './user-rules.ts';

/** The steps of a restore, from what the cluster serves to the last hook. */
export async function bringBack(session: Session, source: BackupSource, restored: RestoredItems): Promise<void> {
  const { deps, api, signal, restore, status, run, log } = session;
  log.info('restore begins', { backup: source.backup.metadata.name, phase: status.phase });
  run.feed({ kind: 'stage', stage: 'discovering' });
  const types = await api.call(() => ServedTypes.discover(deps.kube, { signal }));
  status.kindOf = (groupResource) => types.kindOf(groupResource) ?? groupResource;
  const { modifiers, policies } = await readUserRules(session, types);
  const retried = restore.metadata.annotations?.[RETRY_ANNOTATION];
  const isWanted = retried === undefined ? () => true : await failedItemsOf(source.store, retried, { signal });
  const archive = await fetchArchive(session, source, types);
  try {
    const collected = await collectItems(session, archive, types, { isWanted, policies });
    const hooks = new ExecHooks(session);
    try {
      await restoreItems(session, { source, archive, types, collected, modifiers, hooks, restored });
      enterFinalizing(session);
    } finally {
      await hooks.finish();
    }
    signal.throwIfAborted();
  } finally {
    await archive.close();
  }
}

function enterFinalizing({ status, messages, run }: Session): void {
  const hadErrors = messages.counts().errors > 0 || status.phase === 'FinalizingPartiallyFailed';
  status.phase = phaseAfterItems(hadErrors, false);
  run.feed({ kind: 'stage', stage: 'finalizing' });
}
