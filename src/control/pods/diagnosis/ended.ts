import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { containerStatuses } from './containers.ts';
import { podText, said, type PodDiagnosis } from './diagnosis.ts';

/** Of the pod as a whole, by the kubelet or a controller: the node's doing, so that another try may go well. */
const INTERRUPTED: Readonly<Record<string, string>> = {
  Evicted: 'was evicted from its node',
  Preempting: 'had to make room for a more important pod',
  Preempted: 'had to make room for a more important pod',
  NodeLost: 'was on a node that is gone',
  NodeShutdown: 'was on a node that was shut down',
  Terminated: 'was on a node that was shut down',
  Shutdown: 'was on a node that was shut down',
};

/** A kubelet has lost the container, or its runtime was not there when it ended, as when the machine is started anew. */
const UNSEEN: readonly string[] = ['ContainerStatusUnknown', 'Unknown'];

/** The kubelet has refused a pod that the scheduler gave it. */
const REFUSED = /^(?:OutOf\w+|NodeAffinity|UnexpectedAdmissionError|NodePorts|Sysctl\w*|AppArmor|PodOSNotSupported)$/;

/** What ended a pod that has failed, unless it was its own program; undefined for a program that ended by itself. */
export function diagnoseEnded(pod: JsonObject): PodDiagnosis | undefined {
  if (textAt(pod, 'status', 'phase') !== 'Failed') return undefined;
  return interrupted(pod) ?? killed(pod) ?? failedInit(pod);
}

function interrupted(pod: JsonObject): PodDiagnosis | undefined {
  const reason = textAt(pod, 'status', 'reason') ?? '';
  const why = said(textAt(pod, 'status', 'message'));
  const because = why === '' ? '' : `: ${why}`;
  const over = { reason, outlook: 'over' } as const;
  if (reason === 'DeadlineExceeded') {
    const seconds = valueAt(pod, 'spec', 'activeDeadlineSeconds');
    const limit = typeof seconds === 'number' ? ` than the ${seconds} s it had` : '';
    const cause = `${podText(pod)} took longer${limit}`;
    return { ...over, cause, hint: 'give it more time', code: 'timeout' };
  }
  const what = Object.hasOwn(INTERRUPTED, reason) ? INTERRUPTED[reason] : undefined;
  if (what !== undefined) {
    const cause = `${podText(pod)} ${what}${because}`;
    return { ...over, cause, hint: 'see the node and try again', code: 'unreachable' };
  }
  if (!REFUSED.test(reason)) return undefined;
  const cause = `${podText(pod)} was refused by its node (${reason})${because}`;
  return { ...over, cause, hint: 'see the node and try again', code: 'unreachable' };
}

/** A container that did not end by itself, or never began. */
export function killed(pod: JsonObject, only?: string): PodDiagnosis | undefined {
  for (const container of containerStatuses(pod)) {
    const name = textAt(container, 'name') ?? '';
    const reason = textAt(container, 'state', 'terminated', 'reason') ?? '';
    if (only !== undefined && name !== only) continue;
    const who = `${podText(pod)}: container ${name}`;
    const why = said(textAt(container, 'state', 'terminated', 'message'));
    if (reason === 'OOMKilled') {
      const limit = memoryLimit(pod, name);
      const cause = `${who} was killed, because it needs more memory than ${limit ?? 'there is'}`;
      return { reason, cause, hint: 'raise its memory limit', outlook: 'over' };
    }
    if (reason === 'StartError' || reason === 'ContainerCannotRun') {
      return { reason, cause: `${who} cannot be started: ${why}`, hint: 'check its command', outlook: 'over' };
    }
    if (UNSEEN.includes(reason)) {
      const cause = `${who} has ended, and its node does not know how${why === '' ? '' : `: ${why}`}`;
      return { reason, cause, hint: 'see the node and try again', outlook: 'over', code: 'unreachable' };
    }
  }
  return undefined;
}

function memoryLimit(pod: JsonObject, name: string): string | undefined {
  const all = [...objectsAt(pod, 'spec', 'containers'), ...objectsAt(pod, 'spec', 'initContainers')];
  const limit = textAt(objectAt(all.find((one) => one['name'] === name)), 'resources', 'limits', 'memory');
  return limit === undefined ? undefined : `its limit of ${said(limit)}`;
}

function failedInit(pod: JsonObject): PodDiagnosis | undefined {
  for (const container of objectsAt(pod, 'status', 'initContainerStatuses')) {
    const code = valueAt(container, 'state', 'terminated', 'exitCode');
    if (typeof code !== 'number' || code === 0) continue;
    const name = textAt(container, 'name') ?? '';
    const cause = `${podText(pod)}: its init container ${name} ended with exit code ${code}`;
    return { reason: 'InitFailed', cause, hint: `see its log: kubectl logs -c ${name}`, outlook: 'over' };
  }
  return undefined;
}
