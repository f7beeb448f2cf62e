import type { ResourceType } from '../../../../api/index.ts';
import { AppError, isAppError, isObjectName, type JsonObject } from '../../../../base/index.ts';
import type { KubeObject, NamedTarget, Target } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../../runtime/objects/index.ts';
import type { FunctionContext } from '../function.ts';

const GROUP = 'snapshot.storage.k8s.io';
const typeOf = (kind: string, plural: string, namespaced: boolean): ResourceType => ({
  ...{ group: GROUP, version: 'v1', kind, plural, namespaced },
});
export const VOLUME_SNAPSHOT = typeOf('VolumeSnapshot', 'volumesnapshots', true);
export const VOLUME_SNAPSHOT_CONTENT = typeOf('VolumeSnapshotContent', 'volumesnapshotcontents', false);
export const VOLUME_SNAPSHOT_CLASS = typeOf('VolumeSnapshotClass', 'volumesnapshotclasses', false);
/** On what a function makes: after a restart it knows its own. */
const MADE_BY = 'headway.io/made-by';

/** Snapshots of CSI as one phase run uses them: nothing more than objects of the API. */
export class SnapshotApi {
  readonly #context: FunctionContext;
  readonly #signal: AbortSignal;

  private constructor(context: FunctionContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  /** Throws `unsupported` where the cluster has no snapshots. */
  static async open(context: FunctionContext, signal: AbortSignal): Promise<SnapshotApi> {
    const { resources, failures } = await context
      .api(signal)
      .call(() => context.kube.discover({ signal, deadlineMs: CALL_DEADLINE_MS }));
    const isServed = resources.some(({ group, version, kind }) => {
      return group === GROUP && version === VOLUME_SNAPSHOT.version && kind === VOLUME_SNAPSHOT.kind;
    });
    const failure = failures.find(({ group }) => group === GROUP);
    if (failure !== undefined && !isServed) throw failure.error;
    if (isServed) return new SnapshotApi(context, signal);
    throw new AppError(
      'unsupported',
      `the cluster does not serve ${GROUP}/v1: install the CRDs of CSI snapshots and the snapshot controller`,
    );
  }

  /** Undefined if there is none; also for names that no object can have. */
  async read(target: NamedTarget): Promise<KubeObject | undefined> {
    if (!isObjectName(target.name)) return undefined;
    const { kube } = this.#context;
    return await this.#context.api(this.#signal).call(() => readObject(target, { kube }, this.#signal));
  }

  /** Makes it, or finds what this phase has made before. Throws `alreadyExists` for one that somebody else made. */
  async make(target: Target, object: KubeObject): Promise<void> {
    const { kube, actionSet, ref } = this.#context;
    const { annotations = {}, name } = object.metadata;
    const mark = `${actionSet.metadata.uid ?? ''}/${String(ref.action)}/${String(ref.phase)}`;
    const marked = { ...object, metadata: { ...object.metadata, annotations: { ...annotations, [MADE_BY]: mark } } };
    const options = { signal: this.#signal, deadlineMs: CALL_DEADLINE_MS };
    try {
      await this.#context.api(this.#signal).call(() => kube.create(target, marked, options));
    } catch (error) {
      if (!isAppError(error, 'alreadyExists')) throw error;
      const found = await this.read({ ...target, name });
      if (found?.metadata.annotations?.[MADE_BY] !== mark) throw error;
    }
  }

  /** One that is not there is deleted already. */
  async delete(target: NamedTarget): Promise<void> {
    const { kube } = this.#context;
    const options = { signal: this.#signal, deadlineMs: CALL_DEADLINE_MS };
    try {
      await this.#context.api(this.#signal).call(() => kube.delete(target, options));
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
    }
  }
}

/** An object of this API. */
export function snapshotObject(
  { kind, group, version }: ResourceType,
  metadata: KubeObject['metadata'],
  spec: JsonObject,
): KubeObject {
  return { apiVersion: `${group}/${version}`, kind, metadata, spec };
}
