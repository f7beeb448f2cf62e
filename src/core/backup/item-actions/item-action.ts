import type { JsonObject } from '../../../base/index.ts';
import type { ItemKey } from '../../progress/index.ts';

export interface ItemActionResult {
  /** What goes into the archive instead; absent if nothing has to change. */
  object?: JsonObject;
  /** Items that the backup needs as well. An item that does not exist or that the spec leaves out is skipped. */
  additional: readonly ItemKey[];
}

export interface ActedItem {
  readonly key: ItemKey;
  /** Parsed when it is first asked for, which an action that decides by the key alone does not. */
  readonly object: JsonObject;
}

/** Processes every item of its types before it is archived. It must not modify the object it is given. */
export interface ItemAction {
  name: string;
  appliesTo(groupResource: string): boolean;
  run(item: ActedItem): ItemActionResult | Promise<ItemActionResult>;
}

/** The built-in actions decide from their arguments alone. */
export interface PureItemAction extends ItemAction {
  run(item: ActedItem): ItemActionResult;
}
