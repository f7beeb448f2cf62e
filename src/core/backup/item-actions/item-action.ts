import type { JsonObject } from '../../../base/index.ts';
import type { ItemKey } from '../../progress/index.ts';

export interface ItemActionResult {
  /** What goes into the archive; the given object if nothing had to change. */
  object: JsonObject;
  /** Items that the backup needs as well. An item that does not exist or that the spec leaves out is skipped. */
  additional: readonly ItemKey[];
}

/** Processes every item of its types before it is archived. It must not modify the object it is given. */
export interface ItemAction {
  name: string;
  appliesTo(groupResource: string): boolean;
  run(object: JsonObject, key: ItemKey): ItemActionResult | Promise<ItemActionResult>;
}

/** The built-in actions decide from their arguments alone. */
export interface PureItemAction extends ItemAction {
  run(object: JsonObject, key: ItemKey): ItemActionResult;
}
