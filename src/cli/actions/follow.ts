import { backoffMs, toAppError, type AppError, type Backoff } from '../../base/index.ts';
import type { KubeObject, Target } from '../../edge/kube/index.ts';
import type { Kind } from '../objects/kinds.ts';
import type { Scope } from './open-cluster.ts';

const RECONNECT: Backoff = { baseMs: 500, maxMs: 5000 };
/** How often a kind that is not there is looked for. */
const MISSING_MS = 20_000;

export interface FollowOptions {
  kind: Kind;
  /** In all namespaces if absent. */
  namespace?: string | undefined;
  labelSelector?: string | undefined;
  /** What to do about a kind that may not be listed: look again later, or leave it. */
  whenForbidden: 'wait' | 'throw' | 'end';
}

/** The objects of one kind in one place as the cluster has them, kept current over broken watches. */
export class FollowedKind {
  readonly #scope: Scope;
  readonly #target: Target;
  readonly #selection: { labelSelector?: string };
  readonly #whenForbidden: FollowOptions['whenForbidden'];
  #objects = new Map<string, KubeObject>();
  #failures = 0;
  readonly kind: Kind;
  /** Since when and why the cluster cannot be heard; what is shown is old then. */
  trouble: { since: number; error: AppError } | undefined;
  /** Why it is empty: it is not in the cluster, or may not be listed. */
  refusal: AppError | undefined;
  /** False until the first list is complete, or refused. */
  isKnown = false;

  constructor(scope: Scope, { kind, namespace, labelSelector, whenForbidden }: FollowOptions) {
    this.#scope = scope;
    this.kind = kind;
    this.#target = { type: kind.type, ...(namespace === undefined ? {} : { namespace }) };
    this.#selection = labelSelector === undefined ? {} : { labelSelector };
    this.#whenForbidden = whenForbidden;
  }

  get objects(): Iterable<KubeObject> {
    return this.#objects.values();
  }

  /** Until the signal is aborted. Throws only what trying again cannot mend, such as wrong credentials. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#scope.deps;
    for (;;) {
      try {
        await this.#watch(await this.#list(signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = toAppError(error);
        if (failure.code === 'notFound' || failure.code === 'forbidden') {
          if (failure.code === 'forbidden' && this.#whenForbidden === 'throw') throw failure;
          this.#refuse(failure);
          if (failure.code === 'forbidden' && this.#whenForbidden === 'end') return;
          await clock.sleep(MISSING_MS, signal);
          continue;
        }
        // The first answer must come: a wrong address would be waited for in vain.
        if (failure.facts.family !== 'transient' || !this.isKnown) throw failure;
        // An expired watch is the normal way on, not a trouble.
        if (failure.code === 'gone') continue;
        this.trouble ??= { since: clock.now(), error: failure };
        // One person's terminal; there is no crowd to spread out.
        await clock.sleep(backoffMs(this.#failures++, RECONNECT, 1), signal);
      }
    }
  }

  #refuse(error: AppError): void {
    this.#objects = new Map();
    this.trouble = undefined;
    this.refusal = error;
    this.isKnown = true;
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { kube } = this.#scope;
    let resourceVersion = '';
    let found = new Map<string, KubeObject>();
    for await (const page of kube.list(this.#target, { ...this.#selection, signal })) {
      if (page.restarted) found = new Map();
      for (const object of page.items) found.set(keyOf(object), object);
      resourceVersion = page.resourceVersion;
    }
    this.#objects = found;
    this.trouble = undefined;
    this.refusal = undefined;
    this.isKnown = true;
    return resourceVersion;
  }

  /** Goes on where the last one was when the server ends a watch in peace. */
  async #watch(from: string, signal: AbortSignal): Promise<never> {
    const { kube } = this.#scope;
    let resourceVersion = from;
    for (;;) {
      for await (const event of kube.watch(this.#target, { ...this.#selection, resourceVersion, signal })) {
        resourceVersion = event.resourceVersion;
        this.#failures = 0;
        if (event.type === 'BOOKMARK') continue;
        if (event.type === 'DELETED') this.#objects.delete(keyOf(event.object));
        else this.#objects.set(keyOf(event.object), event.object);
      }
      signal.throwIfAborted();
    }
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
