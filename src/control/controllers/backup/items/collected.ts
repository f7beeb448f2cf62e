import type { JsonObject } from '../../../../base/index.ts';
import type { ItemKey } from '../../../../core/progress/index.ts';
import type { DiscoveredType } from '../../../../core/selection/index.ts';

/** An item that belongs to the backup, as it goes into the archive. */
export interface Collected {
  key: ItemKey;
  /** `itemId` of the key. */
  id: string;
  type: DiscoveredType;
  object: JsonObject;
  /** Set by the consumer when it cannot be archived; then what it needs is not collected either. */
  isRefused: boolean;
  /** Set by the consumer when its turn has not come, and taken back when it has; it is given once more at the end. */
  isPostponed: boolean;
}

/** One whose turn has not come, and what it needs. */
export interface Postponed {
  item: Collected;
  additional: readonly ItemKey[];
}
