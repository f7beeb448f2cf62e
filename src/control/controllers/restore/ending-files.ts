import type { Results } from '../../../core/selection/index.ts';
import { putJson, restoreKeys, type Store } from '../../../edge/store/index.ts';
import type { OperationLog, OperationRun } from '../../operation/index.ts';
import type { RestoredItems } from './restored-items.ts';
import { notRestoredKey } from './source/retry-of.ts';

export interface EndingFiles {
  store: Store;
  /** The restore's name. */
  name: string;
  results: Results;
  items: RestoredItems;
  run: Pick<OperationRun, 'feed'>;
  log: Pick<OperationLog, 'gzipped'>;
  signal: AbortSignal;
}

/** What Velero stores for a restore, and our own list of the items that were not restored. */
export async function storeEndingFiles(files: EndingFiles): Promise<void> {
  const { store, name, results, items, run, log, signal } = files;
  const keys = restoreKeys(name);
  const write = async (key: string, value: unknown): Promise<void> => {
    run.feed({ kind: 'current', current: key });
    await putJson(store, key, value, { signal });
    run.feed({ kind: 'worked' });
  };
  await write(keys.results, results);
  await write(keys.resourceList, items.resourceList());
  await write(keys.itemOperations, []);
  await write(keys.volumeInfo, items.volumes);
  const notRestored = items.notRestored();
  if (notRestored !== undefined) await write(notRestoredKey(name), notRestored);
  await store.put(keys.logs, () => log.gzipped(), { signal });
}
