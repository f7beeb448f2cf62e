import { backoffMs, isAppError, toAppError, type AppError, type Backoff } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { explainMissing, targetOf, type Scope } from './open-cluster.ts';

const RECONNECT: Backoff = { baseMs: 500, maxMs: 5000 };
/** How often a kind that is not there is looked for. */
const MISSING_MS = 20_000;

export interface FollowOptions {
  labelSelector?: string;
  /** A kind that is not in the cluster, or may not be listed, is empty instead of an error. */
  isOptional?: boolean;
}

/** The objects of one kind as the cluster has them, kept current over broken watches. */
export class FollowedKind {
  readonly #scope: Scope;
  readonly #type: ResourceType;
  readonly #selection: { labelSelector?: string };
  readonly #isOptional: boolean;
  #objects = new Map<string, KubeObject>();
  #failures = 0;
  /** Since when and why the cluster cannot be heard; what is shown is old then. */
  trouble: { since: number; error: AppError } | undefined;
  /** False until the first list is complete. */
  isKnown = false;

  constructor(scope: Scope, type: ResourceType, { labelSelector, isOptional = false }: FollowOptions = {}) {
    this.#scope = scope;
    this.#type = type;
    this.#selection = labelSelector === undefined ? {} : { labelSelector };
    this.#isOptional = isOptional;
  }

  get objects(): Iterable<KubeObject> {
    return this.#objects.values();
  }

  /** Until the signal is aborted. Throws only what trying again cannot mend, such as missing rights. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#scope.deps;
    for (;;) {
      try {
        await this.#watch(await this.#list(signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (this.#isOptional && isAppError(error, 'notFound', 'forbidden')) {
          this.#objects = new Map();
          this.isKnown = true;
          await clock.sleep(MISSING_MS, signal);
          continue;
        }
        const failure = toAppError(explainMissing(error, this.#scope, { type: this.#type }));
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

  async #list(signal: AbortSignal): Promise<string> {
    const { kube } = this.#scope;
    let resourceVersion = '';
    let found = new Map<string, KubeObject>();
    for await (const page of kube.list(targetOf(this.#scope, this.#type), { ...this.#selection, signal })) {
      if (page.restarted) found = new Map();
      for (const object of page.items) found.set(keyOf(object), object);
      resourceVersion = page.resourceVersion;
    }
    this.#objects = found;
    this.trouble = undefined;
    this.isKnown = true;
    return resourceVersion;
  }

  /** Goes on where the last one was when the server ends a watch in peace. */
  async #watch(from: string, signal: AbortSignal): Promise<never> {
    const { kube } = this.#scope;
    const target = targetOf(this.#scope, this.#type);
    let resourceVersion = from;
    for (;;) {
      for await (const event of kube.watch(target, { ...this.#selection, resourceVersion, signal })) {
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
