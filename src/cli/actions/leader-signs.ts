import { LEASE } from '../../api/meta/builtin-types.ts';
import { isAppError } from '../../base/index.ts';
import { LEADER_LEASE, readLeaderSign, silenceText, type LeaderSign } from '../../core/operations/index.ts';
import type { Scope } from './open-cluster.ts';

/** A leader renews its lease every two seconds, so two looks this far apart differ, whatever the clocks say. */
const CONFIRM_MS = 3_000;
const LOOK_EVERY_MS = 2_000;

interface Sighting {
  /** Undefined when there is no lease at all. */
  leader: LeaderSign | undefined;
  /** Since when it has been so. */
  at: number;
}

/** Whether some Headway leads in a cluster. Without one, nothing that is created there ever begins. */
export class LeaderSigns {
  readonly #scope: Scope;
  #seen: Sighting | undefined;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Until the signal is aborted, with its reason. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#scope.deps;
    for (;;) {
      await this.#look(signal);
      await clock.sleep(LOOK_EVERY_MS, signal);
    }
  }

  /** Looks until it is certain: at once where somebody leads, and a little later where nobody seems to. */
  async silenceNow(signal: AbortSignal): Promise<string | undefined> {
    const { clock } = this.#scope.deps;
    await this.#look(signal);
    const { leader } = this.#seen ?? {};
    if (leader?.isHeld === true && isOverdue(leader, clock.now())) {
      await clock.sleep(CONFIRM_MS, signal);
      await this.#look(signal);
    }
    return this.silence();
  }

  /** Undefined while somebody leads, and while that is not known. */
  silence(): string | undefined {
    if (this.#seen === undefined) return undefined;
    const { leader, at } = this.#seen;
    const now = this.#scope.deps.clock.now();
    if (leader === undefined) return silenceText({ neverIn: this.#scope.namespace });
    const unchangedMs = now - at;
    const isOver = unchangedMs >= leader.durationMs || (unchangedMs >= CONFIRM_MS && isOverdue(leader, now));
    if (leader.isHeld && !isOver) return undefined;
    return silenceText({ seconds: Math.max(unchangedMs, now - (leader.renewedAt ?? now)) / 1000 });
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { kube, namespace, deps } = this.#scope;
    let leader: LeaderSign | undefined;
    try {
      leader = readLeaderSign(await kube.get({ type: LEASE, namespace, name: LEADER_LEASE }, { signal }));
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error)) throw error;
      // Not everybody may read it, and a cluster that is away is told of elsewhere.
      if (error.code !== 'notFound') {
        this.#seen = undefined;
        return;
      }
    }
    if (this.#seen !== undefined && this.#seen.leader?.sign === leader?.sign) return;
    this.#seen = { leader, at: deps.clock.now() };
  }
}

function isOverdue({ renewedAt, durationMs }: LeaderSign, now: number): boolean {
  return renewedAt === undefined || now - renewedAt > durationMs;
}

/** What to say about it, and what to do. */
export function silenceLines(silence: string, programName: string): string[] {
  return [`▲ ${silence}`, `  Start one with: ${programName} server`];
}
