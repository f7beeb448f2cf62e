// Longer timers fire at once; nobody waits that long for an answer.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** One time limit for a whole call, retries included, combined with the caller's own signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** True when time ran out; false when the caller aborted or nothing happened. */
  readonly expired: boolean;
  remainingMs(): number;
  /** Must be called when the call ends, or its timer and listener leak. */
  clear(): void;
}

export function startDeadline(limitMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + limitMs;
  let expired = false;
  const expire = (): void => {
    expired = true;
    controller.abort();
  };
  const timer = setTimeout(expire, Math.min(limitMs, LONGEST_TIMER_MS));
  const onAbort = (): void => {
    controller.abort(caller?.reason);
  };
  if (caller?.aborted === true) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    remainingMs: () => Math.max(0, endsAt - performance.now()),
    clear: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
