import { AppError, isAppError, type Clock, type JsonObject } from '../../../base/index.ts';
import type { Kube, KubeObject, NamedTarget } from '../../../edge/kube/port.ts';
import { statusPatch } from './status-patch.ts';

export interface StatusWriterOptions {
  target: NamedTarget;
  /** The object as last read: its uid identifies it, its resourceVersion is what the writer has seen. */
  object: KubeObject;
  /** True when somebody has ended the operation; then nothing may be written any more. */
  isOver: (object: KubeObject) => boolean;
  /** Only for kinds that have the subresource; others are written as a whole object. */
  subresource?: 'status';
  /** Checked before every write; `Leader.isLeading` where there is an election. */
  mayWrite?: () => boolean;
  deadlineMs: number;
}

/** What an object is to become: these fields of its status, and perhaps a finalizer added or removed. */
export interface Desired {
  status: JsonObject;
  /** Only for kinds without the status subresource, where one write can change both. */
  finalizer?: { name: string; isWanted: boolean } | undefined;
}

// A conflict costs one read and shows that the server is healthy, so the first few do not cause a pause.
const ATTEMPTS = 5;

export type WriteResult = 'written' | 'superseded';

/** Writes one object's status, always against a resourceVersion it has seen. One call at a time. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #kube: Kube;
  readonly #clock: Clock;
  #object: KubeObject;
  #sentAt = 0;

  constructor(options: StatusWriterOptions, deps: { kube: Kube; clock: Clock }) {
    this.#options = options;
    this.#kube = deps.kube;
    this.#clock = deps.clock;
    this.#object = options.object;
  }

  /** When the last patch was sent, which need not be the first of one `write`. */
  get sentAt(): number {
    return this.#sentAt;
  }

  /**
   * `superseded`: the object is gone, is another one, or its operation has ended. Throws errors of the server or the
   * connection.
   */
  async write(desired: Desired, signal: AbortSignal): Promise<WriteResult> {
    try {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        if (await this.#tryWrite(desired, signal)) return 'written';
        const found = await this.#reread(desired, signal);
        if (found !== 'stale') return found;
      }
    } catch (error) {
      if (isAppError(error, 'notFound')) return 'superseded';
      throw error;
    }
    const { name } = this.#options.target;
    throw new AppError('conflict', `status of ${name} changed ${ATTEMPTS} times between reading and writing it`);
  }

  /** False when the object has changed since it was read. */
  async #tryWrite(desired: Desired, signal: AbortSignal): Promise<boolean> {
    const { target, subresource, deadlineMs, mayWrite } = this.#options;
    // Also after a conflict: the next leader may have caused it.
    if (mayWrite?.() === false) throw new AppError('canceled', `write status of ${target.name}: another one leads`);
    const { resourceVersion } = this.#object.metadata;
    if (resourceVersion === undefined) return false;
    const change = changeOf(this.#object, desired);
    if (change === undefined) return true;
    const body = { ...change, metadata: { ...change.metadata, resourceVersion } };
    const options = { signal, deadlineMs, ...(subresource === undefined ? {} : { subresource }) };
    this.#sentAt = this.#clock.now();
    try {
      this.#object = await this.#kube.patch(target, { kind: 'merge', body }, options);
      return true;
    } catch (error) {
      if (isAppError(error, 'conflict')) return false;
      throw error;
    }
  }

  async #reread(desired: Desired, signal: AbortSignal): Promise<WriteResult | 'stale'> {
    const { target, isOver, deadlineMs } = this.#options;
    const fresh = await this.#kube.get(target, { signal, deadlineMs });
    if (fresh.metadata.uid !== this.#object.metadata.uid) return 'superseded';
    this.#object = fresh;
    // A write of ours whose answer was lost shows up here.
    if (changeOf(fresh, desired) === undefined) return 'written';
    return isOver(fresh) ? 'superseded' : 'stale';
  }
}

/** As a merge patch; undefined when the object already matches. */
function changeOf(
  object: KubeObject,
  { status, finalizer }: Desired,
): { metadata?: { finalizers: string[] }; status?: JsonObject } | undefined {
  const patch = statusPatch(object['status'], status);
  const { finalizers = [] } = object.metadata;
  const isSame = finalizer === undefined || finalizers.includes(finalizer.name) === finalizer.isWanted;
  if (patch === undefined && isSame) return undefined;
  const others = finalizers.filter((name) => name !== finalizer?.name);
  return {
    ...(patch === undefined ? {} : { status: patch }),
    ...(isSame ? {} : { metadata: { finalizers: finalizer.isWanted ? [...others, finalizer.name] : others } }),
  };
}
