import { AppError, type Clock } from '../../../../base/index.ts';
import { VELERO_LAYOUT } from '../../../../core/backup/index.ts';
import { itemName, type ItemKey } from '../../../../core/progress/index.ts';
import { writeArchive, type ArchiveSummary } from '../../../../edge/archive/index.ts';
import type { Store } from '../../../../edge/store/index.ts';
import { everyMoment, type Operation } from '../../../operation/index.ts';
import { archiveItems, type ArchiveItemsDeps } from '../items/archive-items.ts';
import type { Collector } from '../items/collector.ts';

export interface UploadDeps extends Pick<ArchiveItemsDeps, 'hooks' | 'volumes' | 'findings'> {
  clock: Clock;
  operation: Pick<Operation, 'run' | 'log'>;
  /** Time to report what is in the archive by now. */
  onCount: () => void;
}

/** Streams all items into an archive in the store. When this returns or throws, no item is being processed any more. */
export async function uploadArchive(
  to: { store: Store; key: string },
  collector: Collector,
  { clock, operation, onCount, ...deps }: UploadDeps,
  signal: AbortSignal,
): Promise<ArchiveSummary> {
  const { run, log } = operation;
  run.feed({ kind: 'stage', stage: 'archiving' });
  const over = new AbortController();
  const walking = AbortSignal.any([signal, over.signal]);
  let current: ItemKey | undefined;
  const tell = (): void => {
    if (current !== undefined) run.feed({ kind: 'current', current: itemName(current) });
    current = undefined;
    onCount();
  };
  const items = archiveItems(collector.items(), {
    ...deps,
    signal: walking,
    onItem: (key) => {
      current = key;
    },
    onEnd: () => {
      tell();
      for (const { kind, created, failed } of collector.tally.byKind()) {
        log.info('archived all of a kind', { kind, items: created, failed });
      }
      run.feed({ kind: 'stage', stage: 'uploading' });
    },
  });
  const writer = writeArchive(items, { layout: VELERO_LAYOUT, now: new Date(clock.now()), signal: walking });
  const onProgress = (done: number): void => {
    // Not as bytes of the backup, which are those of its volumes.
    if (done > 0) run.feed({ kind: 'worked' });
  };
  void everyMoment(tell, clock, walking);
  try {
    const { size } = await to.store.put(to.key, writer.bytes, { signal, onProgress });
    log.info('stored the archive', { key: to.key, bytes: size });
    return writer.summary();
  } catch (error) {
    // If the source failed, its own error is the cause, not what the store says about it.
    throw writer.failure() ?? error;
  } finally {
    over.abort(new AppError('canceled', 'the archive is not written any more'));
    // A hook may be running, and nobody may thaw its pod before it has ended.
    await writer.ended();
  }
}
