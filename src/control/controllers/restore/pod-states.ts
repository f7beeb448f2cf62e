import { POD } from '../../../api/index.ts';
import { AppError, labelValue, type JsonObject } from '../../../base/index.ts';
import { RESTORE_NAME_LABEL } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { Reflector } from '../../runtime/index.ts';
import type { Session } from './session.ts';

/** Undefined when what is waited for has happened, else why not yet. Throws when it never will. */
export type WhyNot = (pod: JsonObject) => string | undefined;

/** The pods of one restore as they come up: one watch for each namespace, however many pods are waited for. */
export class PodStates {
  readonly #session: Session;
  readonly #stop = new AbortController();
  readonly #reflectors = new Map<string, Reflector>();
  readonly #runs: Promise<void>[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  async waitFor(pod: KubeObject, limitMs: number, whyNot: WhyNot): Promise<void> {
    const { clock } = this.#session.deps;
    const { name, namespace = '', uid } = pod.metadata;
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#session.signal]);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    let why = 'nothing is known of it';
    const look = (current: JsonObject): void => {
      try {
        const reason = whyNot(current);
        if (reason === undefined) resolve(undefined);
        else this.#tellWaiting(`pod ${namespace}/${name}`, (why = reason));
      } catch (error) {
        reject(error instanceof Error ? error : new AppError('bug', String(error)));
      }
    };
    const leave = this.#reflector(namespace).cache.subscribe((change) => {
      if (change.object.metadata.name !== name || change.object.metadata.uid !== uid) return;
      if (change.type === 'deleted') reject(new AppError('notFound', 'the pod was deleted'));
      else look(change.object);
    });
    const late = clock.sleep(limitMs, signal).then(() => {
      throw new AppError('timeout', `waited ${limitMs / 1000} s for the container: ${why}`);
    });
    try {
      await Promise.race([promise, late]);
    } finally {
      leave();
      stop.abort(new AppError('canceled', 'the wait is over'));
      this.#session.run.resumed();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort(new AppError('canceled', 'no pod is waited for any more'));
    await Promise.all(this.#runs);
  }

  #tellWaiting(what: string, why: string): void {
    this.#session.run.waiting(new AppError('timeout', `${what} is not up: ${why}`), 'slow');
  }

  #reflector(namespace: string): Reflector {
    const known = this.#reflectors.get(namespace);
    if (known !== undefined) return known;
    const { deps, restore, signal } = this.#session;
    const reflector = new Reflector(
      {
        target: { type: POD, namespace },
        labelSelector: `${RESTORE_NAME_LABEL}=${labelValue(restore.metadata.name ?? '')}`,
        trim: (pod) => ({ apiVersion: pod.apiVersion, kind: pod.kind, metadata: pod.metadata, status: pod['status'] }),
      },
      deps,
    );
    this.#reflectors.set(namespace, reflector);
    this.#runs.push(reflector.run(AbortSignal.any([this.#stop.signal, signal])));
    return reflector;
  }
}
