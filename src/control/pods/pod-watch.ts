import { POD } from '../../api/index.ts';
import { AppError, isAppError, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { Reflector, type ReflectorDeps } from '../runtime/index.ts';

/** Undefined when the condition is met, else the reason why not yet. Throws when it never will be. */
export type WhyNot = (pod: JsonObject) => string | undefined;

export interface PodWatchOptions {
  /** Which pods of a namespace can be waited for. */
  labelSelector: string;
  signal: AbortSignal;
}

const READ_DEADLINE_MS = 15_000;

export interface PodWait {
  whyNot: WhyNot;
  /** Gets every new reason why the pod is not ready. */
  onWaiting: (why: string) => void;
  /** Ends this wait alone. */
  signal?: AbortSignal;
}

/** Waits for pods: one watch per namespace, however many of its pods are waited for. */
export class PodWatch {
  readonly #options: PodWatchOptions;
  readonly #deps: ReflectorDeps;
  readonly #stop = new AbortController();
  readonly #reflectors = new Map<string, Reflector>();
  readonly #runs: Promise<void>[] = [];

  constructor(options: PodWatchOptions, deps: ReflectorDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  async waitFor(pod: KubeObject, limitMs: number, { whyNot, onWaiting, signal: own }: PodWait): Promise<void> {
    const { name, namespace = '', uid } = pod.metadata;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#options.signal, ...(own === undefined ? [] : [own])]);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    let why = 'nothing is known of it';
    const check = (current: JsonObject): void => {
      try {
        const reason = whyNot(current);
        if (reason === undefined) resolve(undefined);
        else onWaiting((why = reason));
      } catch (error) {
        reject(error instanceof Error ? error : new AppError('bug', String(error)));
      }
    };
    const gone = new AppError('notFound', 'the pod was deleted');
    const reflector = this.#reflector(namespace);
    const unsubscribe = reflector.cache.subscribe((change) => {
      if (change.object.metadata.name !== name || change.object.metadata.uid !== uid) return;
      if (change.type === 'deleted') reject(gone);
      else check(change.object);
    });
    // The watch does not show a pod that was deleted before it began.
    void this.#isGone(pod, reflector, signal).then((isGone) => {
      if (isGone) reject(gone);
    });
    const late = this.#deps.clock.sleep(limitMs, signal).then(() => {
      throw new AppError('timeout', `waited ${limitMs / 1000} s for the container: ${why}`);
    });
    try {
      await Promise.race([promise, late]);
    } finally {
      unsubscribe();
      stop.abort(new AppError('canceled', 'the wait is over'));
    }
  }

  /** False when that is not known: then the watch will show it. */
  async #isGone({ metadata }: KubeObject, { ready }: Reflector, signal: AbortSignal): Promise<boolean> {
    const { name, namespace = '', uid } = metadata;
    try {
      await ready;
      const found = await this.#deps.kube.get({ type: POD, namespace, name }, { signal, deadlineMs: READ_DEADLINE_MS });
      return found.metadata.uid !== uid;
    } catch (error) {
      return isAppError(error, 'notFound');
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new AppError('canceled', 'no pod is waited for any more'));
    await Promise.all(this.#runs);
  }

  #reflector(namespace: string): Reflector {
    const known = this.#reflectors.get(namespace);
    if (known !== undefined) return known;
    const reflector = new Reflector(
      {
        target: { type: POD, namespace },
        labelSelector: this.#options.labelSelector,
        trim: ({ metadata, ...pod }) => ({ ...pod, metadata: { ...metadata, managedFields: [] } }),
      },
      this.#deps,
    );
    this.#reflectors.set(namespace, reflector);
    this.#runs.push(reflector.run(AbortSignal.any([this.#stop.signal, this.#options.signal])));
    return reflector;
  }
}
