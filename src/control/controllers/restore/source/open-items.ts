import { RETRY_ANNOTATION } from '../../../../core/operations/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { BackupSource, ReadContext } from '../context.ts';
import { readUserRules, type UserRules } from '../rules/user-rules.ts';
import { collectItems, type Collected } from './collect-items.ts';
import { fetchArchive } from './fetch-archive.ts';
import { notRestoredBy } from './retry-of.ts';
import type { ServedTypes } from './served-types.ts';

/** What a restore works on. */
export interface OpenItems {
  archive: Archive;
  collected: Collected;
  modifiers: UserRules['modifiers'];
}

/** Reads the user's rules and the archive, and selects its items. The archive stays open until `use` has ended. */
export async function withItems<T>(
  context: ReadContext,
  source: BackupSource,
  types: ServedTypes,
  use: (items: OpenItems) => Promise<T>,
): Promise<T> {
  const { restore, signal } = context;
  const { modifiers, policies } = await readUserRules(context, types);
  const retried = restore.metadata.annotations?.[RETRY_ANNOTATION];
  const isWanted = retried === undefined ? () => true : await notRestoredBy(source.store, retried, { signal });
  const archive = await fetchArchive(context, source, types);
  try {
    const collected = await collectItems(context, archive, types, { isWanted, policies });
    return await use({ archive, collected, modifiers });
  } finally {
    await archive.close();
  }
}
