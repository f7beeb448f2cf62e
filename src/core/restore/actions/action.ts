import type { Restore } from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import type { ItemKey } from '../../progress/index.ts';

/** An item by its name in the archive, in its original namespace. */
export type ArchiveKey = ItemKey;

/** What actions need to know about the cluster and the user's settings; read once per restore, not per item. */
export interface ActionConfig {
  /** From the storage class in the backup to the one in this cluster. */
  storageClasses: Readonly<Record<string, string>>;
  /** Each value is `old part,new part` of an image's name. */
  images: Readonly<Record<string, string>>;
  hasStorageClass(name: string): boolean;
}

export interface ActionInput {
  /** The item as changed so far; still in its original namespace. */
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
  /** Why the item is not restored at all. */
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

/** For actions that only change the item. */
export function changed(item: JsonObject, additionalItems: readonly ArchiveKey[] = []): ActionResult {
  return { item, additionalItems, warnings: [] };
}

export function skipped(item: JsonObject, skip: string): ActionResult {
  return { item, additionalItems: [], skip, warnings: [] };
}
