import { AppError, isAppError, messageOf, toAppError, type Backoff } from '../../base/index.ts';
import type { Kube, KubeObject, Target, WatchEvent } from '../../edge/kube/port.ts';
import { ObjectCache } from './object-cache.ts';
import { objectKey } from './object-key.ts';
import type { Part, RuntimeDeps } from './ports.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface ReflectorOptions {
  target: Target;
  labelSelector?: string;
  fieldSelector?: string;
  /** Items per page; default is the client's. */
  pageSize?: number;
  /** Silence after which the connection counts as dead; default is the client's. */
  inactivityMs?: number;
  /** Reduces what is kept, such as by dropping managedFields. */
  trim?: (object: KubeObject) => KubeObject;
  /**
   * For a kind that need not be in the cluster: why it is not, or undefined when it is. Asked when the server answers 404,
   * and again and again while the kind is missing.
   */
  absence?: (signal: AbortSignal) => Promise<string | undefined>;
  /** Told when the kind turns out to be missing or to be there. */
  onAbsence?: () => void;
}
export interface ReflectorDeps extends RuntimeDeps {
  kube: Kube;
}

const BACKOFF: Backoff = { baseMs: 500, maxMs: 30_000 };
// A shorter watch does not count as a success, even if it ended cleanly: otherwise a server that closes every watch at
// once would be asked in a tight loop.
const STEADY_MS = 1000;
/** How often a kind that is missing is looked for. */
const ABSENT_MS = 10_000;
// After this many failures in a row the resourceVersion itself may be the cause (a server restored from a backup).
const FAILURES_BEFORE_LIST = 5;

/**
 * Keeps a cache equal to one kind in the cluster: it lists, then watches, forever. It holds the cache, one page and the
 * set of listed keys; events are applied as they arrive and never queued.
 */
export class Reflector implements Part {
  readonly name: string;
  readonly cache: ObjectCache;
  /** Resolves when the first list is complete. Rejects if `run` ends before that. */
  readonly ready: Promise<void>;
  readonly #options: ReflectorOptions;
  readonly #deps: ReflectorDeps;
  readonly #ready = Promise.withResolvers<undefined>();
  /** Where to resume the watch; undefined means list first. */
  #version: string | undefined;
  #isSteady = false;
  #unseenSince: number | undefined;
  #absence: string | undefined;
  #hasListed = false;

  constructor(options: ReflectorOptions, deps: ReflectorDeps) {
    const { type, namespace } = options.target;
    this.name = `reflector ${type.plural}${type.group === '' ? '' : `.${type.group}`}`;
    this.#options = options;
    this.#deps = { ...deps, log: deps.log.child({ reflector: type.kind, namespace }) };
    this.cache = new ObjectCache(this.#deps.log);
    this.ready = this.#ready.promise;
    // The waiters get the rejection; without a waiter it is not an error.
    this.ready.catch(() => undefined);
  }

  /** Since when the cluster has not answered, so that the cache may be stale; undefined while it is watched. */
  get unseenSince(): number | undefined {
    return this.#unseenSince;
  }

  /** Why the kind is not there, or may not be listed; undefined while it is watched, or not yet known. */
  get absence(): string | undefined {
    return this.#absence;
  }

  /** Whether the cache holds what the cluster has: it was listed, and the kind has not vanished since. */
  get isListed(): boolean {
    return this.#hasListed && this.#absence === undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const error = await this.#listAndWatch(signal);
      if (signal.aborted) break;
      failures = this.#isSteady ? 0 : failures + 1;
      this.#decide(error, failures);
      if (failures > 0) await this.#pause(error, failures, signal);
    }
    this.#ready.reject(signal.reason);
  }

  async #listAndWatch(signal: AbortSignal): Promise<unknown> {
    this.#isSteady = false;
    try {
      if (this.#absence !== undefined && (await this.#isMissing(signal))) return undefined;
      this.#version ??= await this.#list(signal);
      await this.#watch(this.#version, signal);
      return undefined;
    } catch (error) {
      return await this.#failed(error, signal);
    }
  }

  /** A bare 404 may come from a server that has just started: only what is known to be missing is no failure. */
  async #failed(error: unknown, signal: AbortSignal): Promise<unknown> {
    this.#unseenSince ??= this.#deps.clock.now();
    if (this.#options.absence === undefined) return error;
    try {
      if (isAppError(error, 'notFound') && (await this.#isMissing(signal))) return undefined;
    } catch (asking) {
      return asking;
    }
    if (isAppError(error, 'forbidden')) this.#refused(error);
    return error;
  }

  /** Waits a while when it is: whoever asks every moment for what nobody has installed is a nuisance. */
  async #isMissing(signal: AbortSignal): Promise<boolean> {
    const why = await this.#options.absence?.(signal);
    if (why === undefined) return false;
    this.cache.retain(new Set());
    this.#version = undefined;
    this.#unseenSince = undefined;
    this.#isSteady = true;
    this.#setAbsence(why);
    // It only rejects on the stop signal, which the loop checks itself.
    await this.#deps.clock.sleep(ABSENT_MS, signal).catch(() => undefined);
    return true;
  }

  /** Somebody who may not list a kind that is optional has nothing to wait for; what was seen before stays. */
  #refused(error: AppError): void {
    if (!this.#hasListed) this.#unseenSince = undefined;
    this.#setAbsence(messageOf(error));
  }

  #setAbsence(why: string | undefined): void {
    const hasChanged = this.#absence !== why;
    this.#absence = why;
    if (hasChanged) this.#options.onAbsence?.();
    if (why !== undefined) this.#ready.resolve(undefined);
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { target, pageSize } = this.#options;
    const seen = new Set<string>();
    let version: string | undefined;
    const options = { signal, ...this.#selectors(), ...(pageSize === undefined ? {} : { limit: pageSize }) };
    for await (const page of this.#deps.kube.list(target, options)) {
      if (page.restarted) seen.clear();
      for (const item of page.items) seen.add(this.#put(item));
      version = page.resourceVersion;
    }
    if (version === undefined || version === '') {
      throw new AppError('badAnswer', `list of ${target.type.plural} ended without a resourceVersion to watch from`);
    }
    this.cache.retain(seen);
    this.#hasListed = true;
    this.#setAbsence(undefined);
    this.#ready.resolve(undefined);
    this.#deps.log.debug('listed', { objects: seen.size, resourceVersion: version });
    return version;
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const { target, inactivityMs } = this.#options;
    const startedAt = this.#deps.clock.now();
    let hasAnswered = false;
    const lasted = (): boolean => this.#deps.clock.now() - startedAt >= STEADY_MS;
    const options = {
      signal,
      resourceVersion,
      ...this.#selectors(),
      ...(inactivityMs === undefined ? {} : { inactivityMs }),
      onOpen: () => {
        this.#unseenSince = undefined;
        // An answer counts, not only events: a kind in which nothing happens must not back off further and further
        // behind a proxy that cuts idle connections.
        hasAnswered = true;
      },
    };
    try {
      for await (const event of this.#deps.kube.watch(target, options)) this.#apply(event);
    } finally {
      this.#isSteady = hasAnswered && lasted();
    }
  }

  #apply(event: WatchEvent): void {
    if (event.type === 'DELETED') this.cache.delete(objectKey(event.object), event.object);
    else if (event.type !== 'BOOKMARK') this.#put(event.object);
    this.#version = event.resourceVersion;
  }

  #put(object: KubeObject): string {
    return this.cache.put(this.#options.trim?.(object) ?? object);
  }

  /** Decides whether to resume from the last event or to list again. */
  #decide(error: unknown, failures: number): void {
    if (error === undefined) return;
    const canResume = isAppError(error, 'unreachable', 'timeout', 'throttled', 'serverError', 'badAnswer');
    if (!canResume || failures >= FAILURES_BEFORE_LIST) this.#version = undefined;
    const fields = { err: messageOf(error), failures, listsAgain: this.#version === undefined };
    if (isAppError(error, 'gone')) this.#deps.log.info('watch expired', fields);
    // Told once by whoever asked for it, not with every attempt.
    else if (this.#options.absence !== undefined && isAppError(error, 'notFound', 'forbidden')) {
      this.#deps.log.debug('kind not listed', fields);
    } else if (toAppError(error).facts.family === 'transient') this.#deps.log.warn('watch broke', fields);
    // Retried, but only a person can help: a missing permission, a kind that is not installed, a bug.
    else this.#deps.log.error('watch refused', fields);
  }

  async #pause(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const ms = retryDelayMs(error, failures - 1, BACKOFF, this.#deps.random());
    // It only rejects on the stop signal, which the loop checks itself.
    await this.#deps.clock.sleep(ms, signal).catch(() => undefined);
  }

  #selectors(): { labelSelector?: string; fieldSelector?: string } {
    const { labelSelector, fieldSelector } = this.#options;
    return {
      ...(labelSelector === undefined ? {} : { labelSelector }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
    };
  }
}
