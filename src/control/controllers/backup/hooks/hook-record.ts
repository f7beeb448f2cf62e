import { objectsAt, textAt, type JsonObject } from '../../../../base/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';

export interface PodName {
  namespace: string;
  name: string;
}

/** Keeps a deleted Backup until its pods have had their post hooks. Only set while pods wait for them. */
export const HOOKS_FINALIZER = 'headway.io/post-hooks';

/** Stores which pods wait for their post hooks; resolves when it is stored. */
export type StoreOpenHooks = (openHooks: JsonObject[] | null, signal: AbortSignal) => Promise<void>;

export function openHooksOf(backup: KubeObject): PodName[] {
  return objectsAt(backup, 'status', 'openHooks').flatMap((entry) => {
    const [namespace, name] = [textAt(entry, 'namespace'), textAt(entry, 'name')];
    return namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  });
}

/**
 * Which pods have run a pre hook and wait for their post hooks. It is kept in the backup's status, where the next
 * process finds it. A pre hook runs only after its pod is recorded, so nothing is frozen that would not be thawed.
 */
export class HookRecord {
  readonly #store: StoreOpenHooks;
  #open: PodName[];

  constructor(backup: KubeObject, store: StoreOpenHooks) {
    this.#store = store;
    this.#open = openHooksOf(backup);
  }

  get open(): readonly PodName[] {
    return this.#open;
  }

  has(pod: PodName): boolean {
    return this.#open.some((other) => isSame(other, pod));
  }

  async add(pod: PodName, signal: AbortSignal): Promise<void> {
    this.#open = [...this.#open.filter((other) => !isSame(other, pod)), pod];
    await this.#write(signal);
  }

  async remove(pod: PodName, signal: AbortSignal): Promise<void> {
    this.#open = this.#open.filter((other) => !isSame(other, pod));
    await this.#write(signal);
  }

  async #write(signal: AbortSignal): Promise<void> {
    await this.#store(this.#open.length === 0 ? null : this.#open.map((pod): JsonObject => ({ ...pod })), signal);
  }
}

function isSame(a: PodName, b: PodName): boolean {
  return a.namespace === b.namespace && a.name === b.name;
}
