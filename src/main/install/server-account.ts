import { SECRET } from '../../api/index.ts';
import { AppError, isAppError, textAt } from '../../base/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { systemClock } from '../system-clock.ts';
import { apply, remove } from './apply.ts';
import { placeOf, shipped, typeOf } from './manifests.ts';

const FLOW_CONTROL = 'flow-control.yaml';
const TOKEN_SECRET = 'headway-token';
const TOKEN_WITHIN_MS = 30_000;
const LOOK_MS = 100;

/**
 * The server's service account with all its rights: deploy/server.yaml. A server in the cluster gets tokens that expire
 * from its kubelet; only one outside needs the Secret with one that does not.
 */
export async function applyServerAccount(
  kube: KubeClient,
  { namespace, isOutside }: { namespace: string; isOutside: boolean },
  signal: AbortSignal,
): Promise<void> {
  const objects = shipped('server.yaml', namespace).filter(({ kind }) => isOutside || kind !== SECRET.kind);
  for (const object of objects) await apply(kube, typeOf(object), object, signal);
}

/** The account of people who use the page: deploy/operator.yaml. */
export async function applyOperatorAccount(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of shipped('operator.yaml', namespace)) await apply(kube, typeOf(object), object, signal);
}

/**
 * The share of the API server that the account gets: deploy/flow-control.yaml. False where the cluster has no such
 * shares.
 */
export async function applyFlowControl(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<boolean> {
  try {
    for (const object of shipped(FLOW_CONTROL, namespace)) await apply(kube, typeOf(object), object, signal);
    return true;
  } catch (error) {
    if (isAppError(error, 'notFound')) return false;
    throw error;
  }
}

/** Also that of people, which they may have applied themselves. */
export async function removeAccounts(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of ['server.yaml', 'operator.yaml', FLOW_CONTROL].flatMap((file) => shipped(file, namespace))) {
    await remove(kube, placeOf(object), signal);
  }
}

/** The account's token, which the cluster writes into the Secret a moment after it was created. */
export async function serverToken(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<string> {
  const startedAt = systemClock.now();
  while (systemClock.now() - startedAt < TOKEN_WITHIN_MS) {
    const secret = await kube.get({ type: SECRET, namespace, name: TOKEN_SECRET }, { signal });
    const token = textAt(secret, 'data', 'token');
    if (token !== undefined && token !== '') return Buffer.from(token, 'base64').toString();
    await systemClock.sleep(LOOK_MS, signal);
  }
  const seconds = String(TOKEN_WITHIN_MS / 1000);
  throw new AppError('timeout', `the cluster wrote no token into Secret ${namespace}/${TOKEN_SECRET} in ${seconds} s`, {
    details: {
      hint:
        'A pocket cluster writes no token into Secrets; use its own kubeconfig: headway pocket kubeconfig NAME\n' +
        `Elsewhere, make a token by hand: kubectl -n ${namespace} create token headway`,
    },
  });
}
