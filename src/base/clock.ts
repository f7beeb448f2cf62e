/** The part of AbortSignal that pure code may know; every AbortSignal is one. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Time is a parameter: production passes the system's, tests pass one they turn by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since some moment, for measuring how long something took: nobody sets it forward or back. */
  uptime(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: CancelSignal): Promise<void>;
}
