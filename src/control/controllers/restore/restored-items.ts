import { apiVersionOf, type ResourceType } from '../../../api/index.ts';
import { textAt, type JsonObject } from '../../../base/index.ts';
import type { ItemKey, Outcome } from '../../../core/progress/index.ts';
import type { RestoreVolumeInfo } from '../../../core/volumes/index.ts';
import {
  restoredResourceList,
  type ArchiveKey,
  type RestoredItem,
  type WorkItem,
} from '../../../core/restore/index.ts';

/** A longer list would be read more slowly than the items themselves; without one, a retry looks at all of them. */
const MAX_LISTED = 100_000;

/** What became of the items, for the files that are stored when the restore ends. */
export class RestoredItems {
  readonly #items: RestoredItem[] = [];
  readonly #failed: ArchiveKey[] = [];
  /** Claims that were filled; Velero's list has no word for one that could not be. */
  readonly volumes: RestoreVolumeInfo[] = [];
  #unsettled: (() => Iterable<ArchiveKey>) | undefined;

  add(object: JsonObject, { namespace, name }: ItemKey, outcome: Outcome): void {
    const [apiVersion, kind] = [textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? ''];
    this.#items.push(
      namespace === undefined ? { apiVersion, kind, name, outcome } : { apiVersion, kind, namespace, name, outcome },
    );
  }

  /** `type` is undefined when the cluster does not serve it; such an item is in no resource list. */
  fail({ source, target }: WorkItem, type: ResourceType | undefined): void {
    this.#failed.push(source);
    if (type !== undefined) this.add({ apiVersion: apiVersionOf(type), kind: type.kind }, target, 'failed');
  }

  resourceList(): ReturnType<typeof restoredResourceList> {
    return restoredResourceList(this.#items);
  }

  /** From now on it is known what was planned, so that what is still missing can be told at any time. */
  planned(unsettled: () => Iterable<ArchiveKey>): void {
    this.#unsettled = unsettled;
  }

  /** What a retry goes for: all that failed or was never reached. Undefined when that is not known, or too long a list. */
  notRestored(): readonly ArchiveKey[] | undefined {
    if (this.#unsettled === undefined) return undefined;
    const keys = [...this.#failed];
    for (const key of this.#unsettled()) {
      if (keys.length >= MAX_LISTED) return undefined;
      keys.push(key);
    }
    return keys;
  }
}
