import { isEqual, type JsonObject } from '../../base/index.ts';
import type { ChangedItem, DiffAnswer, ItemName } from '../../core/operations/index.ts';
import type { ItemKey } from '../../core/progress/index.ts';
import type { Archive } from '../../edge/archive/index.ts';
import { diffFields, meaningOf } from './field-diff.ts';
import { maskSecrets } from './mask.ts';

/** What a backup is compared with. */
export interface Other {
  name: string;
  /** Undefined when it is not there; `unreadable` when the caller may not know. */
  read(key: ItemKey): Promise<JsonObject | 'unreadable' | undefined>;
  /** What else there is, as far as it is known. */
  others(isKnown: (key: ItemKey) => boolean): AsyncIterable<ItemKey>;
  problems(): string[];
}

const MAX_TOLD = 1000;
const AT_ONCE = 16;

interface Counted {
  added: ItemName[];
  removed: ItemName[];
  changed: ChangedItem[];
  equal: number;
  counts: DiffAnswer['counts'];
}

export async function diffOf(archive: Archive, other: Other, signal: AbortSignal): Promise<DiffAnswer> {
  const result: Counted = {
    added: [],
    removed: [],
    changed: [],
    equal: 0,
    counts: { added: 0, removed: 0, changed: 0 },
  };
  const keys = archive.entries();
  const worker = async (): Promise<void> => {
    for await (const key of keys) {
      signal.throwIfAborted();
      await compareOne(archive, other, key, result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for await (const key of other.others((known) => archive.has(known))) tell(result, 'added', nameOf(key));
  const { added, removed, changed } = result.counts;
  return {
    with: other.name,
    ...result,
    // Several are compared at once, and whoever looks twice wants the same order.
    added: result.added.toSorted(byName),
    removed: result.removed.toSorted(byName),
    changed: result.changed.toSorted(byName),
    isCut: [added, removed, changed].some((count) => count > MAX_TOLD),
    problems: [...archive.problems.slice(0, 100).map(({ error }) => error.message), ...other.problems()],
  };
}

async function compareOne(archive: Archive, other: Other, key: ItemKey, result: Counted): Promise<void> {
  const [before, after] = await Promise.all([archive.read(key), other.read(key)]);
  if (after === 'unreadable') return;
  if (after === undefined) {
    tell(result, 'removed', nameOf(key));
    return;
  }
  const [left, right] = [meaningOf(before), meaningOf(after)];
  if (isEqual(left, right)) {
    result.equal += 1;
    return;
  }
  // Masked only now: two Secrets with different values differ, whatever is shown of them.
  const fields = diffFields(maskSecrets(left).object, maskSecrets(right).object);
  const isSecret = fields.length === 0;
  tell(result, 'changed', { ...nameOf(key), fields: isSecret ? [{ path: 'data' }] : fields });
}

function tell<What extends 'added' | 'removed' | 'changed'>(
  result: Counted,
  what: What,
  item: Counted[What][number],
): void {
  result.counts[what] += 1;
  if (result[what].length < MAX_TOLD) (result[what] as Counted[What][number][]).push(item);
}

function byName(a: ItemName, b: ItemName): number {
  return pathOf(a) < pathOf(b) ? -1 : 1;
}

function pathOf({ namespace = '', resource, name }: ItemName): string {
  return `${namespace}/${resource}/${name}`;
}

function nameOf({ groupResource: resource, namespace, name }: ItemKey): ItemName {
  return { resource, ...(namespace === undefined ? {} : { namespace }), name };
}
