import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { podText, said, type PodDiagnosis, type Situation } from './diagnosis.ts';
import { newestEvent } from './events.ts';
import { diagnoseImage } from './images.ts';

/** Init containers first: the others wait for them. */
export function containerStatuses(pod: JsonObject): JsonObject[] {
  return [...objectsAt(pod, 'status', 'initContainerStatuses'), ...objectsAt(pod, 'status', 'containerStatuses')];
}

/** The first container that cannot start, of a pod that is on a node. */
export function diagnoseContainers(situation: Situation): PodDiagnosis | undefined {
  for (const container of containerStatuses(situation.pod)) {
    const diagnosis = diagnoseImage(situation, container) ?? diagnoseWaiting(situation, container);
    if (diagnosis !== undefined) return diagnosis;
  }
  return undefined;
}

/** The runtime was busy, or has not cleaned up after itself yet. */
const PASSING = /deadline exceeded|timed? ?out|is reserved for|connection (?:refused|reset)|temporarily/i;

function diagnoseWaiting({ pod, events }: Situation, container: JsonObject): PodDiagnosis | undefined {
  const reason = textAt(container, 'state', 'waiting', 'reason');
  const why = said(textAt(container, 'state', 'waiting', 'message'));
  const who = `${podText(pod)}: container ${textAt(container, 'name') ?? ''}`;
  switch (reason) {
    case 'CreateContainerConfigError':
      return {
        reason,
        cause: `${who} cannot be configured: ${why}`,
        hint: 'create what is missing, or correct the pod',
        outlook: 'hopeless',
      };
    case 'CreateContainerError':
    case 'RunContainerError':
    case 'PreStartHookError':
    case 'PostStartHookError':
      return {
        reason,
        cause: `${who} cannot be started: ${why}`,
        hint: 'check its command and its mounts',
        outlook: PASSING.test(why) ? 'open' : 'hopeless',
      };
    case 'CrashLoopBackOff':
      return crashing(who, objectAt(container, 'lastState', 'terminated'));
    case 'ContainerCreating':
    case 'PodInitializing':
      return unmounted(pod, events);
    default:
      return betweenRuns(container) ? crashing(who, objectAt(container, 'state', 'terminated')) : undefined;
  }
}

/** Kubelets also show the run that has just failed, for as long as the next one has to wait. */
function betweenRuns(container: JsonObject): boolean {
  const [restarts, code] = [valueAt(container, 'restartCount'), valueAt(container, 'state', 'terminated', 'exitCode')];
  return typeof restarts === 'number' && restarts > 0 && typeof code === 'number' && code !== 0;
}

function crashing(who: string, last: JsonObject): PodDiagnosis {
  const isOutOfMemory = textAt(last, 'reason') === 'OOMKilled';
  const code = valueAt(last, 'exitCode');
  const how = isOutOfMemory
    ? 'killed, because it needs more memory than its limit'
    : `with exit code ${typeof code === 'number' ? code : 'unknown'}`;
  return {
    reason: isOutOfMemory ? 'OOMKilled' : 'CrashLoopBackOff',
    cause: `${who} ends again and again, last time ${how}`,
    hint: isOutOfMemory ? 'raise its memory limit' : 'see its log: kubectl logs --previous',
    outlook: 'open',
  };
}

const MOUNTS = ['FailedMount', 'FailedAttachVolume', 'FailedMapVolume', 'FailedCreatePodSandBox'];
const MISSING = /(?:secret|configmap)s? (?:"[^"]*" (?:not found|is forbidden)|references non-existent)/i;

/** Its volumes or its network: only events tell. */
function unmounted(pod: JsonObject, events: Situation['events']): PodDiagnosis | undefined {
  const event = newestEvent(events, MOUNTS);
  const reason = textAt(event, 'reason');
  if (reason === undefined) return undefined;
  const why = said(textAt(event, 'message'));
  const isNetwork = reason === 'FailedCreatePodSandBox';
  return {
    reason,
    cause: `${podText(pod)} ${isNetwork ? 'gets no sandbox' : 'cannot mount a volume'}: ${why}`,
    hint: isNetwork ? 'see the node’s network plugin and runtime' : 'create what is missing, or check the volume',
    outlook: MISSING.test(why) ? 'hopeless' : 'open',
  };
}
