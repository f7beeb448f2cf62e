import type { Restore } from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import type { ItemKey } from '../../progress/index.ts';

/** An item as the archive names it, in the namespace it had in the backup. */
export type ArchiveKey = ItemKey;

/** What actions want to know of the cluster and of the user's settings; read once for a restore, not for each item. */
export interface ActionConfig {
  /** Storage class of the backup to storage class of this cluster. */
  storageClasses: Readonly<Record<string, string>>;
  /** Each value is `old part,new part` of an image's name. */
  images: Readonly<Record<string, string>>;
  hasStorageClass(name: string): boolean;
}

export interface ActionInput {
  /** What the item has become so far; still in the namespace it had in the backup. */
  item: JsonObject;
  /** The item as it was backed up, with status and all metadata. */
  itemFromBackup: JsonObject;
  restore: Restore;
  config: ActionConfig;
}

export interface ActionResult {
  item: JsonObject;
  /** Restored before the item itself. */
  additionalItems: readonly ArchiveKey[];
  /** Why the item is not to be restored at all. */
  skip?: string;
  warnings: readonly string[];
}

/** Changes items of some types as they are restored. An AppError that it throws is the failure of that item. */
export interface RestoreAction {
  name: string;
  /** Group-resources, such as `deployments.apps`. */
  appliesTo: readonly string[];
  execute(input: ActionInput): ActionResult;
}

/** For actions that do nothing but change the item. */
export function changed(item: JsonObject, additionalItems: readonly ArchiveKey[] = []): ActionResult {
  return { item, additionalItems, warnings: [] };
}

export function skipped(item: JsonObject, skip: string): ActionResult {
  return { item, additionalItems: [], skip, warnings: [] };
}
