import { isObject, textAt } from '../../../../base/index.ts';
import { itemId } from '../../../../core/progress/index.ts';
import type { ArchiveKey } from '../../../../core/restore/index.ts';
import { restoreKeys, type CallOptions, type Store } from '../../../../edge/store/index.ts';
import { readStoredJson } from './stored-json.ts';

/** A file of our own in the restore's folder; Velero ignores it and deletes it with the folder. */
export function notRestoredKey(restore: string): string {
  return `${restoreKeys(restore).folder}restore-${restore}-not-restored.json.gz`;
}

/**
 * Selects the items of the archive that an earlier restore did not restore. If it left no list, because it was stopped
 * before it had collected its items or could not store the list, everything is selected, and existing items are skipped.
 */
export async function notRestoredBy(
  store: Store,
  restore: string,
  call: CallOptions,
): Promise<(key: ArchiveKey) => boolean> {
  const found = await readStoredJson(store, notRestoredKey(restore), call);
  if (!Array.isArray(found)) return () => true;
  const keys = new Set(
    found.filter(isObject).map((key) => itemId({ groupResource: textAt(key, 'groupResource') ?? '', ...place(key) })),
  );
  return (key) => keys.has(itemId(key));
}

function place(key: Parameters<typeof textAt>[0]): Pick<ArchiveKey, 'namespace' | 'name'> {
  const namespace = textAt(key, 'namespace');
  return { name: textAt(key, 'name') ?? '', ...(namespace === undefined ? {} : { namespace }) };
}
