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
  /** Called after every item, in the archive or refused. */
  onItem: (key: ItemKey) => void;
  /** Called after the last one. */
  onEnd: () => void;
}

/**
 * Items as the archive wants them. One that fails costs only itself. A pod is handed on only after its post hooks: what
 * takes the items, down to the store, may let them wait for minutes, and no pod may be frozen for that.
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
