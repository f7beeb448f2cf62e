import type { JsonObject } from '../../../base/index.ts';
import type { ItemKey } from '../../progress/index.ts';

export interface ItemActionResult {
  /** What goes into the archive; the object that was given, where nothing had to change. */
  object: JsonObject;
  /** Items that the backup needs as well. One that does not exist or is left out by the spec is passed over. */
  additional: readonly ItemKey[];
}

/** Looks at every item of its types before it is archived. It must not change the object it is given. */
export interface ItemAction {
  name: string;
  appliesTo(groupResource: string): boolean;
  run(object: JsonObject, key: ItemKey): ItemActionResult | Promise<ItemActionResult>;
}

/** The built-in ones decide from their arguments alone. */
export interface PureItemAction extends ItemAction {
  run(object: JsonObject, key: ItemKey): ItemActionResult;
}
