import { DEPLOYMENT, LEASE } from '../../api/index.ts';
import { AppError, isAppError, objectAt, textAt, valueAt } from '../../base/index.ts';
import type { Kube, KubeObject, NamedTarget } from '../../edge/kube/index.ts';
import { systemClock } from '../system-clock.ts';

/** A leader renews its lease every two seconds. */
const SILENT_MS = 6000;
const LOOK_MS = 250;

/** With the CRDs go the objects: whoever works on them would lose its record in the middle of the work. */
export async function refuseBesideVelero(kube: Kube, namespace: string, signal: AbortSignal): Promise<void> {
  const velero = await seen(kube, { type: DEPLOYMENT, namespace, name: 'velero' }, signal);
  if (velero !== undefined && (valueAt(velero['spec'], 'replicas') ?? 1) !== 0) {
    throw new AppError('conflict', `Velero runs in namespace ${namespace} and uses the same CRDs and objects`, {
      details: {
        hint: `Stop Velero first, if nobody needs it: kubectl -n ${namespace} scale deployment velero --replicas=0`,
      },
    });
  }
}

/** A server outside the cluster has to be stopped where it runs; the pods given are those of one inside. */
export async function refuseBesideServer(
  kube: Kube,
  { namespace, pods }: { namespace: string; pods: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const holder = await liveHolder(kube, { namespace, pods }, signal);
  if (holder === undefined) return;
  throw new AppError('conflict', `a Headway server is running for this cluster (${holder})`, {
    details: { hint: 'Stop it first, with Ctrl-C or SIGTERM, then run this command again' },
  });
}

/** Clocks of other machines prove nothing, so a lease that was left behind is told from a live one by watching it. */
async function liveHolder(
  kube: Kube,
  { namespace, pods }: { namespace: string; pods: readonly string[] },
  signal: AbortSignal,
): Promise<string | undefined> {
  const target = { type: LEASE, namespace, name: 'headway' };
  const first = await seen(kube, target, signal);
  const holder = textAt(first, 'spec', 'holderIdentity') ?? '';
  // A server calls itself by its host's name, which in a pod is the pod's.
  if (holder === '' || pods.some((pod) => holder.startsWith(`${pod}_`))) return undefined;
  const startedAt = systemClock.now();
  while (systemClock.now() - startedAt < SILENT_MS) {
    await systemClock.sleep(LOOK_MS, signal);
    const now = objectAt(await seen(kube, target, signal), 'spec');
    if (now['holderIdentity'] !== holder) return undefined;
    if (now['renewTime'] !== textAt(first, 'spec', 'renewTime')) return holder;
  }
  return undefined;
}

async function seen(kube: Kube, target: NamedTarget, signal: AbortSignal): Promise<KubeObject | undefined> {
  try {
    return await kube.get(target, { signal });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}
