import { apiVersionOf } from '../../../../api/index.ts';
import { messageOf } from '../../../../base/index.ts';
import { itemName, type ItemKey } from '../../../../core/progress/index.ts';
import { encodeItem, GoBytes, type ArchiveItem } from '../../../../edge/archive/index.ts';
import type { Findings } from '../../../operation/index.ts';
import type { Collected } from './collected.ts';
import type { PodName } from '../hooks/hook-record.ts';
import type { PodHooks } from '../hooks/pod-hooks.ts';
import type { BackupVolumes } from '../volumes/backup-volumes.ts';
import { HookedPods } from './hooked-pods.ts';

export interface ArchiveItemsDeps {
  hooks: PodHooks;
  volumes: BackupVolumes;
  findings: Findings;
  signal: AbortSignal;
  /** Called after every item, archived or refused. */
  onItem: (key: ItemKey) => void;
  /** Called after the last one. */
  onEnd: () => void;
}

/**
 * Items in the form the archive needs. A failing item costs only itself. A pod is passed on only after its post hooks:
 * the consumer, down to the store, may block for minutes, and no pod may stay frozen for that. Its volumes are copied
 * beside the archiving, and then its post hooks wait for them instead. A pod that has to wait for a mover before it is
 * frozen is postponed: others are archived meanwhile.
 */
export async function* archiveItems(
  items: AsyncIterable<Collected>,
  { hooks, volumes, findings, signal, onItem, onEnd }: ArchiveItemsDeps,
): AsyncGenerator<ArchiveItem> {
  const hooked = new HookedPods(hooks, signal);
  const texts = new ItemTexts();
  /** The first pod in line, which was postponed. */
  const first = async (): Promise<ArchiveItem | undefined> => {
    const { item, entry } = await hooked.first();
    item.isPostponed = false;
    if (entry === undefined) item.isRefused = true;
    onItem(item.key);
    return entry;
  };
  const aroundPod = async (
    item: Collected,
    pod: PodName,
    take: () => ArchiveItem | undefined,
  ): Promise<ArchiveItem | undefined> => {
    const { object } = item;
    const hasHooks = hooks.has(object);
    const copies = await volumes.forPod(object, pod, hasHooks);
    if (hasHooks && (copies?.needsTurn === true || !hooked.isEmpty)) {
      item.isPostponed = true;
      hooked.add({ item, pod, copies, take });
      return undefined;
    }
    try {
      return await hooks.aroundHeld(object, pod, { work: take, hold: copies && (() => copies.start()) }, signal);
    } finally {
      copies?.drop();
    }
  };
  try {
    for await (const item of items) {
      const pod = podOf(item.key);
      // A pod is parsed anyway. It may be encoded beside others, whose bytes would be overwritten by its own.
      const textOf = pod === undefined ? () => texts.textOf(item) : () => encodeItem(item.object);
      const take = (): ArchiveItem | undefined => encoded(item, textOf, { volumes, findings });
      // One that is asked for again is the first in line: those before it are done.
      const wasPostponed = item.isPostponed;
      const entry = wasPostponed ? await first() : pod === undefined ? take() : await aroundPod(item, pod, take);
      if (entry !== undefined) yield entry;
      if (!wasPostponed && !item.isPostponed) {
        if (entry === undefined) item.isRefused = true;
        onItem(item.key);
      }
      while (hooked.isFirstDone || hooked.isFull) {
        const next = await first();
        if (next !== undefined) yield next;
      }
    }
  } finally {
    await hooked.close();
  }
  onEnd();
}

function podOf({ groupResource, namespace, name }: ItemKey): PodName | undefined {
  return groupResource === 'pods' && namespace !== undefined ? { namespace, name } : undefined;
}

/** Undefined, and reported, if it cannot be archived; then it counts for volumes neither. */
function encoded(
  item: Collected,
  textOf: () => ArchiveItem['text'],
  { volumes, findings }: Pick<ArchiveItemsDeps, 'volumes' | 'findings'>,
): ArchiveItem | undefined {
  try {
    const text = textOf();
    volumes.see(item);
    return { ...item.key, version: item.type.version, text };
  } catch (error) {
    findings.error(item.key, `${itemName(item.key)} cannot be archived: ${messageOf(error)}`);
    return undefined;
  }
}

/** Items as the server has written them, in Go's order; parsed where that does not do. */
class ItemTexts {
  readonly #go = new GoBytes();

  /** Bytes are valid until the next call. */
  textOf(item: Collected): ArchiveItem['text'] {
    const { type, json } = item;
    const bytes = json && this.#go.encode(json, { apiVersion: apiVersionOf(type), kind: type.kind });
    return bytes ?? encodeItem(item.object);
  }
}
