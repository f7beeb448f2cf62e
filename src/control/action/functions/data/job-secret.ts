import { ActionSet, apiVersionOf, CREATED_BY_KANISTER, OWNER_UID_LABEL, SECRET } from '../../../../api/index.ts';
import { isAppError, messageOf } from '../../../../base/index.ts';
import { podName } from '../../../../core/action/index.ts';
import type { Kube, KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../../runtime/objects/index.ts';
import type { FunctionContext } from '../function.ts';

/** The key of the Secret under which a pod finds its program. */
export const PROGRAM_KEY = 'program';

/** The Secret that holds the program of a pod: pod specs can be read by many, and are kept by many. */
export class JobSecret {
  readonly name: string;
  readonly #context: FunctionContext;
  readonly #namespace: string;

  constructor(context: FunctionContext, { namespace, part }: { namespace: string; part?: string | undefined }) {
    const { actionSet, ref, attempt } = context;
    this.name = podName({ prefix: 'headway-data', uid: actionSet.metadata.uid ?? '', ref, attempt, part });
    this.#context = context;
    this.#namespace = namespace;
  }

  /** After a restart it may be there already; the pod that reads it may have begun. */
  async create(program: string, signal: AbortSignal): Promise<void> {
    const { kube, actionSet } = this.#context;
    const { uid = '', name } = actionSet.metadata;
    const isNear = actionSet.metadata.namespace === this.#namespace;
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: this.name,
        namespace: this.#namespace,
        labels: { ...CREATED_BY_KANISTER, [OWNER_UID_LABEL]: uid },
        ...(isNear && {
          ownerReferences: [{ apiVersion: apiVersionOf(ActionSet), kind: ActionSet.kind, name, uid }],
        }),
      },
      type: 'Opaque',
      stringData: { [PROGRAM_KEY]: program },
    };
    const target = { type: SECRET, namespace: this.#namespace };
    const calls = this.#context.api(signal);
    const options = { signal, deadlineMs: CALL_DEADLINE_MS };
    try {
      await calls.call(() => kube.create(target, object, options));
    } catch (error) {
      if (!isAppError(error, 'alreadyExists')) throw error;
      const found = await calls.call(() => readObject({ ...target, name: this.name }, { kube }, signal));
      if (found !== undefined && found.metadata.labels?.[OWNER_UID_LABEL] !== uid) throw error;
      const patch = { kind: 'merge', body: { stringData: { [PROGRAM_KEY]: program } } } as const;
      await calls.call(() => kube.patch({ ...target, name: this.name }, patch, options));
    }
  }

  /** Never throws: what the pod did is done. */
  async remove(): Promise<void> {
    const { kube, lasting, log } = this.#context;
    if (lasting.aborted) return;
    const target = { type: SECRET, namespace: this.#namespace, name: this.name };
    try {
      await this.#context.api(lasting).call(() => deleteIfThere(target, kube, lasting));
    } catch (error) {
      log.warn('a Secret is left behind', { secret: `${this.#namespace}/${this.name}`, err: messageOf(error) });
    }
  }
}

async function deleteIfThere(
  target: { type: typeof SECRET; namespace: string; name: string },
  kube: Kube,
  signal: AbortSignal,
): Promise<void> {
  try {
    await kube.delete(target, { signal, deadlineMs: CALL_DEADLINE_MS });
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
  }
}

/** Deletes every Secret that was made for pods of a set, in whatever namespace. */
export async function removeJobSecrets(set: KubeObject, { kube }: { kube: Kube }, signal: AbortSignal): Promise<void> {
  const labels = { ...CREATED_BY_KANISTER, [OWNER_UID_LABEL]: set.metadata.uid ?? '' };
  const labelSelector = Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(',');
  for await (const { items } of kube.list({ type: SECRET }, { labelSelector, signal })) {
    for (const { metadata } of items) {
      await deleteIfThere({ type: SECRET, namespace: metadata.namespace ?? '', name: metadata.name }, kube, signal);
    }
  }
}
