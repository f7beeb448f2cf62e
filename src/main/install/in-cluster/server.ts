import { DEPLOYMENT, POD, SECRET } from '../../../api/index.ts';
import { AppError, isAppError, textAt } from '../../../base/index.ts';
import type { Kube, KubeClient } from '../../../edge/kube/index.ts';
import { systemClock } from '../../system-clock.ts';
import { apply, remove } from '../apply.ts';
import { placeOf, shipped, typeOf } from '../manifests.ts';
import { OWN_TLS_SECRET, SERVER, SERVER_PODS, serverObjects, type InCluster } from './server-objects.ts';
import { ensureTlsSecret } from './tls-secret.ts';

const GONE_WITHIN_MS = 90_000;
const LOOK_MS = 250;

/** Puts certificate, Deployment and Service in place. */
export async function applyServer(
  kube: KubeClient,
  options: InCluster,
  { tell, signal }: { tell: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const { namespace, tlsSecret, image } = options;
  const state = await ensureTlsSecret(kube, options, { now: systemClock.now(), signal });
  tell(`certificate of the page in Secret ${namespace}/${tlsSecret} ${state === 'made' ? 'created' : 'exists'}`);
  for (const object of serverObjects(options)) await apply(kube, typeOf(object), object, signal);
  tell(`deployment ${namespace}/${SERVER} runs ${image}; service ${namespace}/${SERVER} leads to its page`);
}

/** Whether a server was installed in the cluster. */
export async function hasServer(kube: Kube, namespace: string, signal: AbortSignal): Promise<boolean> {
  try {
    await kube.get({ type: DEPLOYMENT, namespace, name: SERVER }, { signal });
    return true;
  } catch (error) {
    if (isAppError(error, 'notFound')) return false;
    throw error;
  }
}

/** Ends the server in the cluster, and waits until its last process is gone: nobody may write any more. */
export async function removeServer(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of shipped('in-cluster.yaml', namespace)) await remove(kube, placeOf(object), signal);
  await removeOwnCertificate(kube, namespace, signal);
  const startedAt = systemClock.uptime();
  for (let left = await pods(kube, namespace, signal); left.length > 0; left = await pods(kube, namespace, signal)) {
    if (systemClock.uptime() - startedAt > GONE_WITHIN_MS) {
      throw new AppError('timeout', `the server's pods do not end: ${left.join(', ')}`, {
        details: { hint: `End them with: kubectl -n ${namespace} delete pod --force ${left.join(' ')}` },
      });
    }
    await systemClock.sleep(LOOK_MS, signal);
  }
}

/** Names of the server's pods. */
export async function pods(kube: Kube, namespace: string, signal: AbortSignal): Promise<string[]> {
  const names: string[] = [];
  for await (const { items } of kube.list({ type: POD, namespace }, { labelSelector: SERVER_PODS, signal })) {
    for (const { metadata } of items) names.push(metadata.name);
  }
  return names;
}

/** One that the user has put there stays. */
async function removeOwnCertificate(kube: Kube, namespace: string, signal: AbortSignal): Promise<void> {
  const target = { type: SECRET, namespace, name: OWN_TLS_SECRET };
  try {
    const secret = await kube.get(target, { signal });
    if (textAt(secret, 'metadata', 'labels', 'app.kubernetes.io/managed-by') !== 'headway') return;
  } catch (error) {
    if (isAppError(error, 'notFound')) return;
    throw error;
  }
  await remove(kube, target, signal);
}
