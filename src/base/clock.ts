/** The part of AbortSignal that pure code may use. Every AbortSignal satisfies it. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Time is a parameter: production passes the system clock, tests pass a fake one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary moment, for measuring durations. Unlike `now`, it is never set forward or back. */
  uptime(): number;
  /** Rejects with the signal's reason if the signal is aborted first. */
  sleep(ms: number, signal?: CancelSignal): Promise<void>;
}
