import { Restore } from '../../../api/index.ts';
import { textAt } from '../../../base/index.ts';
import { present } from '../../../core/progress/index.ts';
import { isEndPhase } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import { ApiPatience, OperationRun, type OperationLog } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';
import type { RestoreSettings } from './options.ts';
import { reportInStatus, RestoreStatus } from './restore-status.ts';
import type { Session } from './session.ts';
import { withGrace } from './stops.ts';

export interface Opening {
  object: KubeObject;
  restore: Restore;
  deps: ControlDeps;
  settings: RestoreSettings;
  signal: AbortSignal;
}

export interface OpenSession {
  session: Session;
  run: OperationRun;
  log: OperationLog;
}

/** From here on the restore tells how far it is, also one that another process began. */
export async function openSession(opening: Opening): Promise<OpenSession> {
  const { object, restore, deps, signal } = opening;
  const { name, namespace = deps.namespace, uid = '' } = object.metadata;
  const log = await deps.logs.open(uid, { restore: `${namespace}/${name}` });
  const status = new RestoreStatus(restore, toTime(deps.clock.now()));
  const run = new OperationRun(
    {
      target: { type: Restore, namespace, name },
      object,
      isOver: (current) => hasEnded(current),
      statusOf: (snapshot) => status.statusOf(snapshot),
      resume: reportInStatus(object, restore),
      conditions: restore.status.conditions,
      stages: restore.status.stages?.map((stage) => present(stage)),
    },
    deps,
  );
  // Whatever was done before is found in the cluster, so counting begins anew; the percent stays. One that is only
  // ended keeps what was told of it.
  if (!signal.aborted) run.feed({ kind: 'attempt' });
  const changes = withGrace(signal, deps.clock);
  const api = new ApiPatience({
    ...{ clock: deps.clock, random: deps.random, signal: changes },
    onWaiting: (cause) => {
      run.waiting(cause);
    },
    onResumed: () => {
      run.resumed();
    },
  });
  return { session: { ...opening, changes, status, run, log, messages: status.messages, api }, run, log };
}

export function hasEnded(object: KubeObject): boolean {
  return isEndPhase(textAt(object, 'status', 'phase') as Restore['status']['phase']);
}
