import { ActionSet } from '../../../api/index.ts';
import { objectAt, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import { finishedStatus, phaseFailed, refusedStatus, type ActionSetStatus } from '../../../core/action/index.ts';
import { adapterFor, type MetricName } from '../../../core/operations/index.ts';
import { exact, fromStatusProgress, present, readPercentText, type Report } from '../../../core/progress/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { Admission, OperationKind, Standing } from '../../operation/index.ts';
import { patchObject, toTime } from '../../runtime/objects/index.ts';
import { admitSet, type ActionAdmission } from './admission.ts';
import { ActionSetWork } from './action-set-work.ts';
import type { ActionDeps } from './deps.ts';
import { FINALIZER } from './finalizer.ts';
import { removeJobSecrets } from '../functions/data/job-secret.ts';
import { removeJobPods } from './job-pods.ts';
import { isTakenByAnother } from './left-alone.ts';

const METRICS = {
  begun: 'headway_action_sets_begun_total',
  refused: 'headway_action_sets_refused_total',
} as const satisfies Record<string, MetricName>;

/** Upstream has no limit. Ours is for the memory of this process; what is beyond it waits and says so. */
const CAPACITY = 100;
/** A mistake is told within two seconds, also to the last of a hundred sets that come at once. */
const WORKERS = 8;

/** What is particular to ActionSets among the long operations. */
export function actionSetKind(deps: ActionDeps): OperationKind {
  const now = (): string => toTime(deps.clock.now());
  return {
    type: ActionSet,
    noun: 'action',
    capacity: CAPACITY,
    workers: WORKERS,
    waiting: { type: 'Waiting', reason: 'OtherActions' },
    afterCancel: adapterFor(ActionSet.kind).afterCancel,
    metrics: { ...METRICS, labelsOf: () => ({}) },
    standingOf,
    admit: (object, signal) => admitSet(object, deps, signal),
    refused: (admission, problems) => {
      const { refused } = admission as Admission & Partial<ActionAdmission>;
      return refused ?? refusedStatus(problems, now());
    },
    turnOf: () => Promise.resolve('begin'),
    begun: (object, at) => ({
      state: 'running',
      // With its fraction: it is the `.Time` of templates, and Kanister's has one.
      startTimestamp: textAt(object, 'status', 'startTimestamp') ?? new Date(at).toISOString(),
    }),
    ended: ({ state, reason }, at) => ({
      state: state === 'completed' ? 'complete' : 'failed',
      completionTimestamp: toTime(at),
      ...(state === 'completed' ? {} : { error: { message: reason ?? state } }),
    }),
    reportOf,
    open: (operation) => new ActionSetWork(operation, deps),
    logFields: ({ metadata }) => ({ actionset: `${metadata.namespace ?? ''}/${metadata.name}` }),
    keepsLog: true,
    // Its deferPhase puts in order what it began.
    endsDeleted: true,
    abandoned: (object, { reason = '' }, at) => abandonedStatus(object, reason, toTime(at)),
    leftovers: {
      has: ({ metadata }) => metadata.finalizers?.includes(FINALIZER) === true,
      clear: (object, signal) => clear(object, deps, signal),
    },
  };
}

function standingOf(object: KubeObject): Standing {
  const state = textAt(object, 'status', 'state') ?? '';
  if (state === 'complete' || state === 'completed' || state === 'failed') return 'ended';
  // Nothing that we would have to do for it.
  if (isTakenByAnother(object)) return 'ended';
  return state === 'running' ? 'begun' : 'new';
}

/** Nobody works on it any more: a phase that ran has failed, and none runs. */
function abandonedStatus(object: KubeObject, reason: string, now: string): JsonObject {
  let status: ActionSetStatus = ActionSet.parse(object).value.status ?? {};
  for (const [action, { phases = [], deferPhase }] of (status.actions ?? []).entries()) {
    for (const [phase, { state }] of phases.entries()) {
      if (state === 'running') status = phaseFailed(status, { action, phase }, { reason, now });
    }
    if (deferPhase?.state === 'running') status = phaseFailed(status, { action, phase: 'defer' }, { reason, now });
  }
  const { actions, progress } = finishedStatus(status, { now, isCanceled: true, artifacts: () => ({}) });
  return present({ actions, progress });
}

/** The last report of an earlier process; undefined if the set never began. */
function reportOf(object: KubeObject): Report | undefined {
  const startedAt = textAt(object, 'status', 'startTimestamp');
  if (startedAt === undefined) return undefined;
  const progress = objectAt(object, 'status', 'progress');
  const phases = objectsAt(object, 'status', 'actions').flatMap((action) => objectsAt(action, 'phases'));
  const done = phases.filter(({ state }) => state === 'complete').length;
  const report = fromStatusProgress(progress, { state: 'running', startedAt });
  const percent = readPercentText(progress['percentCompleted']);
  return {
    ...report,
    ...(percent !== undefined && { exactPercent: percent }),
    measures: [...report.measures, { unit: 'phases', done, total: exact(phases.length) }],
  };
}

/** A set that ended without its work, or left something: its pods and their Secrets go, then it may go. */
async function clear(object: KubeObject, deps: ActionDeps, signal: AbortSignal): Promise<void> {
  await removeJobPods(object, deps, signal);
  await removeJobSecrets(object, deps, signal);
  const { finalizers = [] } = object.metadata;
  const left = finalizers.filter((finalizer) => finalizer !== FINALIZER);
  await patchObject({ type: ActionSet, object, deps, signal }, { metadata: { finalizers: left } });
}
