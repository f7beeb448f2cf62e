import type { Stage } from '../../case.ts';
import { type ContainerStatus, type Fields, path, type PodObject } from './objects.ts';

const ADDRESS = /\b\d+\.\d+\.\d+\.\d+\b/g;

/** The same sentence from two clusters: without addresses, with one name for the node, and at whatever round a loop is. */
export function sentence(text: unknown, pod?: PodObject): unknown {
  if (typeof text !== 'string') return text;
  const plain = text.replaceAll(ADDRESS, '<ip>').replace(/back-off \d+s/, 'back-off <n>s');
  return pod?.spec.nodeName === undefined ? plain : plain.replaceAll(pod.spec.nodeName, '<node>');
}

/** What clients read of a pod: phase, conditions and the states of its containers, with reasons. */
export function view({ status }: PodObject): Fields {
  const { phase, reason, message, conditions = [], initContainerStatuses, containerStatuses } = status;
  // A moment later the network of a pod that is over is taken down, and this is False.
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  return {
    phase,
    reason,
    message: sentence(message),
    conditions: conditions
      .filter(({ type }) => !(isOver && type === 'PodReadyToStartContainers'))
      .toSorted((a, b) => (a.type < b.type ? -1 : 1))
      .map((condition) => [condition.type, condition.status, condition['reason'], sentence(condition['message'])]),
    init: initContainerStatuses?.map(containerView),
    containers: containerStatuses?.map(containerView),
  };
}

/** The states without times and ids; a sentence that the runtime made up counts only where a case asks for it. */
export function containerView({ name, ready, started, restartCount, state, lastState }: ContainerStatus): Fields {
  // Who looks may miss a round of a loop.
  const restarts = state['waiting']?.reason === 'CrashLoopBackOff' ? '<some>' : restartCount;
  return { name, ready, started, restarts, state: stateView(state), lastState: stateView(lastState) };
}

function stateView(state: Record<string, Fields>): Fields {
  return Object.fromEntries(
    Object.entries(state).map(([name, { reason, message, exitCode, signal, ...times }]) => [
      name,
      { reason, message: sentence(message), exitCode, signal, fields: Object.keys(times).toSorted() },
    ]),
  );
}

/** Its row as `kubectl get` shows it: name, ready and status. */
export async function row(stage: Stage, name = 'p'): Promise<unknown> {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
  const { body } = await stage.api.get(path(stage, name), { headers });
  return (body as { rows: { cells: unknown[] }[] }).rows[0]?.cells.slice(0, 3);
}

interface EventObject {
  type: string;
  reason: string;
  message: string;
  involvedObject: { name: string; fieldPath?: string };
  source: { component: string };
}

/** The events of a pod, one of a kind, once there is one with each of these reasons, and with these words. */
export async function events(stage: Stage, pod: PodObject, reasons: string[], words = /./): Promise<unknown> {
  const query = { fieldSelector: `involvedObject.uid=${pod.metadata.uid}`, resourceVersion: '0', timeoutSeconds: '45' };
  const wanted: EventObject[] = [];
  for await (const event of stage.api.watch(`/api/v1/namespaces/${stage.namespace}/events`, query)) {
    const { object } = event as { object: EventObject };
    // A kubelet that has not read anything yet says that first, sometimes.
    const isFirm = !object.message.includes('failed to sync') && words.test(object.message);
    if (reasons.includes(object.reason) && isFirm) wanted.push(object);
    if (reasons.every((reason) => wanted.some((seen) => seen.reason === reason))) break;
  }
  const lines = wanted.map(({ type, reason, message, involvedObject, source }) =>
    JSON.stringify([type, reason, sentence(message, pod), involvedObject.fieldPath, source.component]),
  );
  return [...new Set(lines)]
    .map((line) => JSON.parse(line) as string[])
    .toSorted((a, b) => reasons.indexOf(a[1] ?? '') - reasons.indexOf(b[1] ?? ''));
}
