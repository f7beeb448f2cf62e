import { DEPLOYMENT, POD } from '../../../api/index.ts';
import { AppError, objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { explainPod } from '../../../control/pods/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { systemClock } from '../../system-clock.ts';
import { SERVER, SERVER_PODS } from './server-objects.ts';

const WITHIN_MS = 5 * 60_000;
const LOOK_MS = 500;
/** Time for a kubelet to try, and for a Secret to be found. */
const GIVE_UP_MS = 15_000;

/** Waits until every replica answers. Says what it waits for, and gives up on what cannot succeed. */
export async function awaitServer(
  kube: Kube,
  { namespace, tell }: { namespace: string; tell: (line: string) => void },
  signal: AbortSignal,
): Promise<void> {
  const startedAt = systemClock.uptime();
  let told = '';
  let hopelessSince: number | undefined;
  for (;;) {
    const deployment = await kube.get({ type: DEPLOYMENT, namespace, name: SERVER }, { signal });
    const state = rolloutOf(deployment);
    if (state.isDone) return;
    const now = systemClock.uptime();
    const why = await whyNot(kube, { namespace, deployment }, signal);
    const line = why?.cause ?? state.text;
    if (line !== told) tell(`waiting: ${(told = line)}`);
    hopelessSince = why?.outlook === 'hopeless' ? (hopelessSince ?? now) : undefined;
    const isHopeless = hopelessSince !== undefined && now - hopelessSince >= GIVE_UP_MS;
    if (isHopeless) throw notUp('invalid', line, { namespace, hint: why?.hint });
    if (now - startedAt >= WITHIN_MS) throw notUp('timeout', line, { namespace, hint: why?.hint });
    await systemClock.sleep(LOOK_MS, signal);
  }
}

/** As `kubectl rollout status` sees it. */
export function rolloutOf(deployment: JsonObject): { isDone: boolean; text: string } {
  const number = (...path: string[]): number => {
    const value = valueAt(deployment, ...path);
    return typeof value === 'number' ? value : 0;
  };
  const wanted = number('spec', 'replicas');
  const isSeen = number('status', 'observedGeneration') >= number('metadata', 'generation');
  const updated = number('status', 'updatedReplicas');
  const isOldGone = number('status', 'replicas') <= updated;
  const ready = isSeen ? Math.min(updated, number('status', 'availableReplicas')) : 0;
  return {
    isDone: isSeen && isOldGone && updated >= wanted && ready >= wanted,
    text: `${ready} of ${wanted} replicas are ready`,
  };
}

interface Why {
  cause: string;
  hint: string;
  outlook: 'hopeless' | 'open' | 'over';
}

async function whyNot(
  kube: Kube,
  { namespace, deployment }: { namespace: string; deployment: KubeObject },
  signal: AbortSignal,
): Promise<Why | undefined> {
  const refused = objectsAt(deployment, 'status', 'conditions').find(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  );
  const message = textAt(refused, 'message');
  if (message !== undefined) {
    return { cause: message, hint: 'change what refuses such pods, then run the command again', outlook: 'hopeless' };
  }
  const image = imageOf(objectAt(deployment, 'spec', 'template'));
  for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector: SERVER_PODS, signal })) {
    for (const pod of items) {
      // What is wrong with those that are being replaced does not matter any more.
      if (imageOf(pod) !== image || pod.metadata.deletionTimestamp !== undefined) continue;
      const why = await explainPod(kube, { namespace, name: pod.metadata.name }, signal);
      if (why !== undefined) return why;
    }
  }
  return undefined;
}

function imageOf(pod: JsonObject): string | undefined {
  return textAt(objectsAt(pod, 'spec', 'containers')[0], 'image');
}

function notUp(
  code: 'invalid' | 'timeout',
  why: string,
  { namespace, hint = '' }: { namespace: string; hint: string | undefined },
): AppError {
  const logs = `See its log with: kubectl -n ${namespace} logs deployment/${SERVER}`;
  const first = hint === '' ? '' : `${hint.charAt(0).toUpperCase()}${hint.slice(1)}\n`;
  return new AppError(code, `Headway is installed, and does not start: ${why}`, { details: { hint: first + logs } });
}
