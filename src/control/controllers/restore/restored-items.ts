import { apiVersionOf, type ResourceType } from '../../../api/index.ts';
import { textAt, type JsonObject } from '../../../base/index.ts';
import type { ItemKey, Outcome } from '../../../core/progress/index.ts';
import {
  restoredResourceList,
  type ArchiveKey,
  type RestoredItem,
  type WorkItem,
} from '../../../core/restore/index.ts';

/** The outcome of the items, for the files that are stored when the restore ends. */
export class RestoredItems {
  readonly #items: RestoredItem[] = [];
  readonly #failed: ArchiveKey[] = [];

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

  /** By their names in the archive: what a restore that retries this one selects. */
  get failures(): readonly ArchiveKey[] {
    return this.#failed;
  }
}
