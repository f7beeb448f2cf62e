import type { JsonObject } from '../../../../base/index.ts';
import type { ItemKey } from '../../../../core/progress/index.ts';
import type { DiscoveredType } from '../../../../core/selection/index.ts';
import type { ListedObject } from '../../../../edge/kube/index.ts';

/** An item that belongs to the backup, as it goes into the archive. */
export class Collected {
  readonly key: ItemKey;
  /** `itemId` of the key. */
  readonly id: string;
  readonly type: DiscoveredType;
  /** Set by the consumer when it cannot be archived; then what it needs is not collected either. */
  isRefused = false;
  /** Set by the consumer when its turn has not come, and taken back when it has; it is given once more at the end. */
  isPostponed = false;
  readonly #listed: ListedObject;
  #object: JsonObject | undefined;
  #isChanged = false;

  constructor(listed: ListedObject, { key, id, type }: Pick<Collected, 'key' | 'id' | 'type'>) {
    this.key = key;
    this.id = id;
    this.type = type;
    this.#listed = listed;
  }

  /**
   * Parsed when it is first asked for, as long as its page is held; one that is postponed was parsed before. Throws if
   * it is broken.
   */
  get object(): JsonObject {
    this.#object ??= this.#listed.parse();
    return this.#object;
  }

  set object(changed: JsonObject) {
    this.#object = changed;
    this.#isChanged = true;
  }

  /** As the server has written it, if that is what goes into the archive, and is still there. */
  get json(): Buffer | undefined {
    return this.#isChanged ? undefined : this.#listed.json();
  }
}

/** One whose turn has not come, and what it needs. */
export interface Postponed {
  item: Collected;
  additional: readonly ItemKey[];
}
