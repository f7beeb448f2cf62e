import { AppError, cleanText, objectAt, objectsAt, textAt, type JsonObject } from '../../base/index.ts';

/** A registry or a scheduler may have a lot to say. */
const MAX_WORDS = 300;

export interface WantedContainer {
  container: string;
  /** Not only running, but ready. */
  waitForReady: boolean;
}

/** Why a container does not run yet, in Kubernetes' own words; undefined when it does. Throws when it never will. */
export function whyNotUp(pod: JsonObject, wanted: WantedContainer): string | undefined {
  const phase = textAt(pod, 'status', 'phase') ?? 'Pending';
  if (phase === 'Succeeded' || phase === 'Failed') throw new AppError('invalid', `the pod has ended as ${phase}`);
  const statuses = [
    ...objectsAt(pod, 'status', 'containerStatuses'),
    ...objectsAt(pod, 'status', 'initContainerStatuses'),
  ];
  const container = statuses.find(({ name }) => name === wanted.container);
  const state = container?.['state'] as JsonObject | undefined;
  if (state?.['running'] !== undefined) {
    return wanted.waitForReady && container?.['ready'] !== true ? 'the container is not ready' : undefined;
  }
  const scheduled = objectsAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
  return wordsOf(objectAt(container, 'state', 'waiting')) ?? wordsOf(scheduled) ?? `the pod is ${phase}`;
}

/** `Unschedulable: 0/1 nodes are available`. */
function wordsOf(said: JsonObject | undefined): string | undefined {
  const [reason, message] = [textAt(said, 'reason'), textAt(said, 'message')];
  if (reason === undefined || message === undefined) return reason;
  return `${reason}: ${cleanText(message.trim(), MAX_WORDS)}`;
}
