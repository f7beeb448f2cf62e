import { Restore } from '../../../api/index.ts';
import { createMergePatch, isAppError, objectAt, textAt, type JsonObject } from '../../../base/index.ts';
import { reasonToWait, type PendingRestore } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { ObjectCache, ReconcileResult } from '../../runtime/index.ts';
import {
  boundedProblems,
  patchObject,
  patchStatus,
  toTime,
  withCondition,
  withoutCondition,
} from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { announceRefusal, announceStart } from './announce.ts';
import { FINALIZER } from './clean-up.ts';
import { hasEnded } from './open-session.ts';
import type { RestoreSettings } from './options.ts';
import { validate, type Validation } from './validation.ts';

export interface AdmissionDeps extends ControlDeps {
  settings: RestoreSettings;
  cache: ObjectCache;
}

/** How long a restore that waits is left alone; the end of another one wakes it earlier. */
const LOOK_AGAIN_MS = 2_000;

/** A new restore is refused, waits for its turn, or becomes InProgress. */
export async function admit(
  object: KubeObject,
  deps: AdmissionDeps,
  signal: AbortSignal,
): Promise<'start' | ReconcileResult> {
  const validation = await validateObject(object, deps, signal);
  const specPatch = createMergePatch(objectAt(object, 'spec'), {
    ...objectAt(object, 'spec'),
    ...(validation.spec as unknown as JsonObject),
  });
  const filled = specPatch === undefined ? {} : { spec: specPatch };
  if (validation.errors.length > 0) {
    const validationErrors = boundedProblems(validation.errors);
    const status = { phase: 'FailedValidation', validationErrors };
    await patchObject({ type: Restore, object, deps, signal }, { ...filled, status });
    announceRefusal(deps, object, validation.spec, validationErrors);
    return 'done';
  }
  const why = reasonToWait(pendingOf(object), othersIn(deps), deps.settings.concurrent);
  const now = deps.clock.now();
  if (why !== undefined) {
    const change = { type: 'Waiting', status: 'True', reason: 'OtherRestores', message: why } as const;
    const status = { phase: 'New', conditions: withCondition(object, change, now) };
    await patchStatus({ type: Restore, object, deps, signal }, status);
    return { requeueAfterMs: LOOK_AGAIN_MS };
  }
  const { finalizers = [] } = object.metadata;
  await patchObject(
    { type: Restore, object, deps, signal },
    {
      metadata: { finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER] },
      ...filled,
      status: { phase: 'InProgress', startTimestamp: toTime(now), conditions: withoutCondition(object, 'Waiting') },
    },
  );
  announceStart(deps, object, validation.spec);
  return 'start';
}

async function validateObject(object: KubeObject, deps: AdmissionDeps, signal: AbortSignal): Promise<Validation> {
  let restore: Restore;
  try {
    restore = Restore.parse(object).value;
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    const problems = error.details?.['problems'];
    return { spec: {}, errors: Array.isArray(problems) ? problems.map(String) : [error.message] };
  }
  return await validate(restore, { kube: deps.kube, namespace: deps.namespace, signal });
}

function othersIn({ cache }: AdmissionDeps): PendingRestore[] {
  return [...cache.values()].filter((object) => !hasEnded(object)).map((object) => pendingOf(object));
}

function pendingOf(object: KubeObject): PendingRestore {
  const phase = textAt(object, 'status', 'phase') ?? 'New';
  return {
    name: object.metadata.name,
    createdAt: object.metadata.creationTimestamp ?? '',
    isRunning: phase !== 'New',
    spec: (object['spec'] ?? {}) as Restore['spec'],
  };
}
