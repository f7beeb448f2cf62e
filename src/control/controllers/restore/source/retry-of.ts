import { AppError, isObject, textAt } from '../../../../base/index.ts';
import { itemId } from '../../../../core/progress/index.ts';
import type { ArchiveKey } from '../../../../core/restore/index.ts';
import { restoreKeys, type CallOptions, type Store } from '../../../../edge/store/index.ts';
import { readStoredJson } from './stored-json.ts';

/** Our own file in the restore's folder; Velero ignores it and deletes it with the folder. */
export function failedItemsKey(restore: string): string {
  return `${restoreKeys(restore).folder}restore-${restore}-failed.json.gz`;
}

/** What failed in an earlier restore, as a test on the items of the archive. */
export async function failedItemsOf(
  store: Store,
  restore: string,
  call: CallOptions,
): Promise<(key: ArchiveKey) => boolean> {
  const found = await readStoredJson(store, failedItemsKey(restore), call);
  if (!Array.isArray(found)) {
    throw new AppError(
      'notFound',
      `cannot retry restore ${restore}: what failed there is not recorded in ${store.where}`,
    );
  }
  const keys = new Set(
    found.filter(isObject).map((key) => itemId({ groupResource: textAt(key, 'groupResource') ?? '', ...place(key) })),
  );
  return (key) => keys.has(itemId(key));
}

function place(key: Parameters<typeof textAt>[0]): Pick<ArchiveKey, 'namespace' | 'name'> {
  const namespace = textAt(key, 'namespace');
  return { name: textAt(key, 'name') ?? '', ...(namespace === undefined ? {} : { namespace }) };
}
