import { messageOf } from '../../../base/index.ts';
import { itemName, type ItemKey } from '../../../core/progress/index.ts';
import { encodeItem, type ArchiveItem } from '../../../edge/archive/index.ts';
import type { Collected } from './collector.ts';
import type { Findings } from './findings.ts';
import type { PodHooks } from './pod-hooks.ts';
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

/** Items as the archive wants them, each with the hooks of its pod around it. One that fails costs only itself. */
export async function* archiveItems(
  items: AsyncIterable<Collected>,
  { hooks, volumes, findings, signal, onItem, onEnd }: ArchiveItemsDeps,
): AsyncGenerator<ArchiveItem> {
  for await (const item of items) {
    const { key, object } = item;
    const pod =
      key.groupResource === 'pods' && key.namespace !== undefined
        ? { namespace: key.namespace, name: key.name }
        : undefined;
    if (pod !== undefined && !(await hooks.before(object, pod, signal))) item.isRefused = true;
    else {
      const entry = encoded(item, findings);
      if (entry !== undefined) yield entry;
      volumes.see(item);
    }
    if (pod !== undefined) await hooks.after(object, pod, signal);
    onItem(key);
  }
  onEnd();
}

function encoded(item: Collected, findings: Findings): ArchiveItem | undefined {
  try {
    return { ...item.key, version: item.type.version, text: encodeItem(item.object) };
  } catch (error) {
    item.isRefused = true;
    findings.error(item.key, `${itemName(item.key)} cannot be archived: ${messageOf(error)}`);
    return undefined;
  }
}
