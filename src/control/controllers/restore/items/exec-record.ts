import { objectsAt, type JsonObject } from '../../../../base/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';

interface Entry {
  /** How many of a pod's hooks were started, and how many of them have ended. */
  begun: number;
  ended: number;
}

const NONE: Entry = { begun: 0, ended: 0 };

/**
 * Which hooks of which pods were started. It is kept in the restore's status, so that the next process does not run
 * them again.
 */
export class ExecRecord {
  readonly #entries = new Map<string, Entry & { namespace: string; name: string }>();
  readonly #store: (execHooks: JsonObject[]) => Promise<void>;

  constructor(restore: KubeObject, store: (execHooks: JsonObject[]) => Promise<void>) {
    this.#store = store;
    for (const { namespace, name, begun, ended } of objectsAt(restore, 'status', 'execHooks')) {
      if (typeof namespace !== 'string' || typeof name !== 'string') continue;
      this.#entries.set(`${namespace}/${name}`, { namespace, name, begun: Number(begun), ended: Number(ended) });
    }
  }

  of({ metadata }: KubeObject): Entry {
    return this.#entries.get(`${metadata.namespace ?? ''}/${metadata.name}`) ?? NONE;
  }

  /** Resolves when it is stored: a hook that is not recorded as started would be run again. */
  async begin(pod: KubeObject, index: number): Promise<void> {
    await this.#set(pod, { begun: index + 1, ended: index });
  }

  async end(pod: KubeObject, index: number): Promise<void> {
    await this.#set(pod, { begun: index + 1, ended: index + 1 });
  }

  async #set({ metadata }: KubeObject, entry: Entry): Promise<void> {
    const { name, namespace = '' } = metadata;
    this.#entries.set(`${namespace}/${name}`, { namespace, name, ...entry });
    await this.#store([...this.#entries.values()].map((one): JsonObject => ({ ...one })));
  }
}
