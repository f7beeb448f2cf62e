import { Backup, BackupStorageLocation, DeleteBackupRequest, type BackupPhase } from '../../../api/index.ts';
import { isAppError, textAt } from '../../../base/index.ts';
import { isEnded } from '../../../core/backup/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { ReconcileResult } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import { aboutObject, deleteObject, patchObject, readObject } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { backupOf, expiryRequest, ownsFiles } from './requests.ts';
import { serverTime } from './server-time.ts';

const GC_FAILURE_LABEL = 'velero.io/gc-failure';
const CLOCK_AHEAD = 'ClockAhead';
// A clock may be set at any time, and timers do not notice.
const LONGEST_WAIT_MS = 600_000;
const BLOCKED_WAIT_MS = 60_000;
const RETRY_MS = 3_600_000;

type ExpiryCaches = Pick<Caches, 'backups' | 'deleteRequests'>;

/** Requests the deletion of expired backups. */
export class Expiry {
  readonly #deps: ControlDeps;
  readonly #caches: ExpiryCaches;

  constructor(deps: ControlDeps, caches: ExpiryCaches) {
    this.#deps = deps;
    this.#caches = caches;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const backup = this.#caches.backups.get(key);
    if (backup === undefined || backup.metadata.deletionTimestamp !== undefined) return 'done';
    const expiration = Date.parse(textAt(backup, 'status', 'expiration') ?? '');
    // A running backup is reconciled again with its final status.
    if (Number.isNaN(expiration) || !isEnded(textAt(backup, 'status', 'phase') as BackupPhase | undefined))
      return 'done';
    const leftMs = expiration - this.#deps.clock.now();
    if (leftMs > 0) {
      if (backup.metadata.labels?.[GC_FAILURE_LABEL] === CLOCK_AHEAD) await this.#label(backup, undefined, signal);
      return { requeueAfterMs: Math.min(leftMs, LONGEST_WAIT_MS) };
    }
    return await this.#expire(backup, expiration, signal);
  }

  async #expire(backup: KubeObject, expiration: number, signal: AbortSignal): Promise<ReconcileResult> {
    const name = textAt(backup, 'spec', 'storageLocation') ?? '';
    const target = { type: BackupStorageLocation, namespace: this.#deps.namespace, name };
    const location = name === '' ? undefined : await readObject(target, this.#deps, signal);
    const inTheWay = ownsFiles(backup) ? obstacleOf(location) : undefined;
    if (inTheWay === 'unavailable') return { requeueAfterMs: BLOCKED_WAIT_MS };
    const obstacle = inTheWay ?? (await this.#clockProblem(backup, expiration, signal));
    await this.#label(backup, obstacle, signal);
    if (obstacle !== undefined) return { requeueAfterMs: LONGEST_WAIT_MS };
    if (this.#isAsked(backup)) return { requeueAfterMs: LONGEST_WAIT_MS };
    return await this.#ask(backup, signal);
  }

  async #clockProblem(backup: KubeObject, expiration: number, signal: AbortSignal): Promise<string | undefined> {
    const { events, log } = this.#deps;
    const now = await serverTime(this.#deps, signal);
    // The server's time has whole seconds.
    if (now === undefined || now >= expiration - 1000) return undefined;
    if (backup.metadata.labels?.[GC_FAILURE_LABEL] !== CLOCK_AHEAD) {
      const message = 'It has expired by the clock of this process, but not by that of the API server: it is kept';
      log.error('clock differs from that of the API server', { backup: backup.metadata.name });
      events.record({ type: 'Warning', reason: CLOCK_AHEAD, message, about: aboutObject(Backup, backup) });
    }
    return CLOCK_AHEAD;
  }

  #isAsked({ metadata }: KubeObject): boolean {
    for (const request of this.#caches.deleteRequests.values()) {
      if (backupOf(request) === metadata.name && textAt(request, 'status', 'phase') !== 'Processed') return true;
    }
    return false;
  }

  async #ask(backup: KubeObject, signal: AbortSignal): Promise<ReconcileResult> {
    const { kube, namespace, events, log, clock } = this.#deps;
    const request = expiryRequest(backup);
    try {
      await kube.create({ type: DeleteBackupRequest, namespace }, request, { signal });
    } catch (error) {
      if (!isAppError(error, 'alreadyExists')) throw error;
      const target = { type: DeleteBackupRequest, namespace, name: request.metadata.name };
      const before = await readObject(target, this.#deps, signal);
      if (textAt(before, 'status', 'phase') !== 'Processed' || before === undefined) return { requeueAfterMs: 1_000 };
      // It was refused: keep its reasons readable for a while, then try again.
      const made = Date.parse(textAt(before, 'metadata', 'creationTimestamp') ?? '');
      const leftMs = made + RETRY_MS - clock.now();
      if (leftMs > 0) return { requeueAfterMs: Math.min(leftMs, LONGEST_WAIT_MS) };
      await deleteObject({ type: DeleteBackupRequest, object: before, deps: this.#deps, signal });
      return { requeueAfterMs: 1_000 };
    }
    log.info('backup has expired', { backup: backup.metadata.name });
    const about = aboutObject(Backup, backup);
    events.record({ type: 'Normal', reason: 'Expired', message: 'It has expired and is being deleted', about });
    return { requeueAfterMs: LONGEST_WAIT_MS };
  }

  /** As in Velero: a label shows why an expired backup still exists. */
  async #label(backup: KubeObject, obstacle: string | undefined, signal: AbortSignal): Promise<void> {
    if (backup.metadata.labels?.[GC_FAILURE_LABEL] === obstacle) return;
    const labels = { [GC_FAILURE_LABEL]: obstacle ?? null };
    await patchObject({ type: Backup, object: backup, deps: this.#deps, signal }, { metadata: { labels } });
  }
}

/** The label value that Velero uses, or that the obstacle is temporary. */
function obstacleOf(location: KubeObject | undefined): 'BSLNotFound' | 'BSLReadOnly' | 'unavailable' | undefined {
  if (location === undefined) return 'BSLNotFound';
  if (textAt(location, 'status', 'phase') !== 'Available') return 'unavailable';
  return textAt(location, 'spec', 'accessMode') === 'ReadOnly' ? 'BSLReadOnly' : undefined;
}
