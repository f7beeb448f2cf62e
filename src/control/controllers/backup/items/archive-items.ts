import { messageOf } from '../../../../base/index.ts';
import { itemName, type ItemKey } from '../../../../core/progress/index.ts';
import { encodeItem, type ArchiveItem } from '../../../../edge/archive/index.ts';
import type { Findings } from '../../../operation/index.ts';
import type { Collected } from './collector.ts';
import type { PodHooks } from '../hooks/pod-hooks.ts';
import type { Volumes } from './volumes.ts';

export interface ArchiveItemsDeps {
  hooks: PodHooks;
  volumes: Volumes;
  findings: Findings;
  signal: AbortSignal;
  /** Called after every item, archived or refused. */
  onItem: (key: ItemKey) => void;
  /** Called after the last one. */
  onEnd: () => void;
}

/**
 * Items in the form the archive needs. A failing item costs only itself. A pod is passed on only after its post hooks:
 * the consumer, down to the store, may block for minutes, and no pod may stay frozen for that.
 */
export async function* archiveItems(
  items: AsyncIterable<Collected>,
  { hooks, volumes, findings, signal, onItem, onEnd }: ArchiveItemsDeps,
): AsyncGenerator<ArchiveItem> {
  for await (const item of items) {
    const { key, object } = item;
    const take = (): ArchiveItem | undefined => {
      volumes.see(item);
      return encoded(item, findings);
    };
    const pod = podOf(key);
    const entry = pod === undefined ? take() : await hooks.around(object, pod, take, signal);
    if (entry === undefined) item.isRefused = true;
    else yield entry;
    onItem(key);
  }
  onEnd();
}

function podOf({ groupResource, namespace, name }: ItemKey): { namespace: string; name: string } | undefined {
  return groupResource === 'pods' && namespace !== undefined ? { namespace, name } : undefined;
}

function encoded(item: Collected, findings: Findings): ArchiveItem | undefined {
  try {
    return { ...item.key, version: item.type.version, text: encodeItem(item.object) };
  } catch (error) {
    findings.error(item.key, `${itemName(item.key)} cannot be archived: ${messageOf(error)}`);
    return undefined;
  }
}
