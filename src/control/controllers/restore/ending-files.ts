import { messageOf } from '../../../base/index.ts';
import { restoreKeys, type Store } from '../../../edge/store/index.ts';
import type { OpenSession } from './open-session.ts';
import { failedItemsKey } from './retry-of.ts';
import type { RestoredItems } from './restored-items.ts';
import { writeStoredJson } from './stored-json.ts';

export interface EndingFiles {
  store: Store;
  items: RestoredItems;
  signal: AbortSignal;
}

/**
 * What Velero stores of a restore, and our list of what failed. The restore itself is over: files that cannot be
 * stored are told in a condition and change nothing about how it ended.
 */
export async function storeEndingFiles({ session, log }: OpenSession, files: EndingFiles): Promise<void> {
  const { restore, messages, run } = session;
  const { store, items, signal } = files;
  const name = restore.metadata.name ?? '';
  const keys = restoreKeys(name);
  const write = async (key: string, value: unknown): Promise<void> => {
    run.feed({ kind: 'current', current: key });
    await writeStoredJson(store, key, value, { signal });
    run.feed({ kind: 'worked' });
  };
  try {
    await write(keys.results, messages.results());
    await write(keys.resourceList, items.resourceList());
    await write(keys.itemOperations, []);
    await write(keys.volumeInfo, []);
    await write(failedItemsKey(name), items.failures);
    await store.put(keys.logs, () => log.gzipped(), { signal });
  } catch (error) {
    log.error('files of the restore are not stored', { err: messageOf(error) });
    run.setCondition({
      type: 'ResultsNotStored',
      status: 'True',
      reason: 'StoreFailed',
      message: `the results of the restore could not be stored: ${messageOf(error)}`,
    });
  }
}
