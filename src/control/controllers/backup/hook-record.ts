import { Backup } from '../../../api/index.ts';
import { AppError, isAppError, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { ControlDeps } from '../ports.ts';

export interface PodName {
  namespace: string;
  name: string;
}

const ATTEMPTS = 8;
const DEADLINE_MS = 15_000;

export function openHooksOf(backup: KubeObject): PodName[] {
  return objectsAt(backup, 'status', 'openHooks').flatMap((entry) => {
    const [namespace, name] = [textAt(entry, 'namespace'), textAt(entry, 'name')];
    return namespace === undefined || name === undefined ? [] : [{ namespace, name }];
  });
}

/**
 * Which pods have run a pre hook and wait for their post hooks, in the status of the backup: whoever takes over reads
 * it there. A write that is not in does not count, so nothing is frozen that would not be thawed.
 */
export class HookRecord {
  readonly #backup: KubeObject;
  readonly #deps: Pick<ControlDeps, 'kube' | 'mayWrite'>;
  #open: PodName[];

  constructor(backup: KubeObject, deps: Pick<ControlDeps, 'kube' | 'mayWrite'>) {
    this.#backup = backup;
    this.#deps = deps;
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
    const { kube, mayWrite } = this.#deps;
    const { name, namespace = '', uid } = this.#backup.metadata;
    const target = { type: Backup, namespace, name };
    const options = { signal, deadlineMs: DEADLINE_MS };
    for (let attempt = 1; ; attempt += 1) {
      if (!mayWrite()) throw new AppError('canceled', `record hooks of backup ${name}: this process does not lead`);
      const fresh = await kube.get(target, options);
      if (fresh.metadata.uid !== uid) throw new AppError('notFound', `record hooks of backup ${name}: it is gone`);
      const { resourceVersion } = fresh.metadata;
      const openHooks = this.#open.length === 0 ? null : this.#open.map((pod): JsonObject => ({ ...pod }));
      try {
        await kube.patch(
          target,
          { kind: 'merge', body: { metadata: { resourceVersion }, status: { openHooks } } },
          options,
        );
        return;
      } catch (error) {
        // The progress of this backup is written as well, once a second.
        if (!isAppError(error, 'conflict') || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

function isSame(a: PodName, b: PodName): boolean {
  return a.namespace === b.namespace && a.name === b.name;
}
