import { HEADWAY_POD_LABEL, OWNER_UID_LABEL, POD, SECRET } from '../../../api/index.ts';
import { messageOf } from '../../../base/index.ts';
import type { Part } from '../../runtime/index.ts';
import { MOVER_LABELS, removeMovers } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';
import { endVolumes } from './end-volumes.ts';
import { removeLeftSnapshots } from './left-snapshots.ts';
import { removeOldLists } from './old-lists.ts';
import { backupsThat, restoresThat, type OrphanCaches } from './owners.ts';

/** Rare, and never urgent: what is found here was left by a process that was killed. */
const EVERY_MS = 5 * 60_000;

/**
 * Ends movers that nobody waits for any more: their Backup or Restore was deleted while no server ran, or was set aside.
 * What one of them had stored for a deleted Backup goes first. In the server's own namespace the cluster itself ends
 * them, because there a pod belongs to its object; only lists of files are made for somebody who may leave before.
 */
export class OrphanMovers implements Part {
  readonly name = 'orphan movers';
  readonly #deps: ControlDeps;
  readonly #caches: OrphanCaches;

  constructor(deps: ControlDeps, caches: OrphanCaches) {
    this.#deps = deps;
    this.#caches = caches;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    while (!signal.aborted) {
      try {
        await this.#clear(signal);
      } catch (error) {
        if (!signal.aborted) log.warn('orphans not cleared away', { err: messageOf(error) });
      }
      // It rejects only when it is over, which the loop checks itself.
      await clock.sleep(EVERY_MS, signal).catch(() => undefined);
    }
  }

  async #clear(signal: AbortSignal): Promise<void> {
    const { kube, log, namespace } = this.#deps;
    const labelSelector = `${HEADWAY_POD_LABEL}=${MOVER_LABELS.purpose},${MOVER_LABELS.server}=${namespace}`;
    const orphans = new Set<string>();
    for (const type of [POD, SECRET]) {
      for await (const { items } of kube.list({ type }, { labelSelector, signal })) {
        for (const { metadata } of items) {
          const uid = metadata.labels?.[OWNER_UID_LABEL];
          if (uid !== undefined && metadata.namespace !== namespace) orphans.add(uid);
        }
      }
    }
    // Read afterwards: an operation that began meanwhile is known by now.
    const atWork = backupsThat(false, this.#caches).union(restoresThat(false, this.#caches));
    const over = orphans.difference(atWork);
    // A Backup that has ended needs what its movers stored; nobody knows of the rest but the movers themselves.
    const gone = over.difference(backupsThat(true, this.#caches));
    const unfinished = await removeLeftSnapshots(gone, this.#deps, signal);
    for (const uid of over.difference(unfinished)) {
      log.info('movers of an operation that is over are ended', { owner: uid });
      await removeMovers(uid, this.#deps, signal);
    }
    await removeOldLists(this.#deps, signal);
    await endVolumes(this.#caches, this.#deps, signal);
  }
}
