import { EVENT, NODE, PERSISTENT_VOLUME_CLAIM, POD } from '../../api/index.ts';
import { textAt, type JsonObject } from '../../base/index.ts';
import type { Kube, KubeObject, NamedTarget } from '../../edge/kube/index.ts';
import { readObject } from '../runtime/objects/index.ts';
import { claimNames, diagnosePod, type ClaimSituation, type PodDiagnosis, type Situation } from './diagnosis/index.ts';

/** More claims than that say nothing that the first ones do not. */
const MAX_CLAIMS = 10;
/** A pod that fails again and again has few events, which are counted. */
const MAX_EVENTS = 200;

export interface PodName {
  namespace: string;
  name: string;
}

/** Asks the cluster what is in the way of a pod. Undefined when nothing is, or when the pod does not exist. */
export async function explainPod(kube: Kube, pod: PodName, signal: AbortSignal): Promise<PodDiagnosis | undefined> {
  const found = await readObject({ type: POD, ...pod }, { kube }, signal);
  return found === undefined ? undefined : diagnosePod(await readSituation(kube, found, signal));
}

/** Everything about a pod that can be read. What the server's account may not read is left out: the rest still tells. */
export async function readSituation(kube: Kube, pod: KubeObject, signal: AbortSignal): Promise<Situation> {
  const { namespace = '', uid = '' } = pod.metadata;
  const nodeName = textAt(pod, 'spec', 'nodeName');
  const [events, claims, node] = await Promise.all([
    eventsOf(kube, { namespace, uid }, signal),
    claimsOf(kube, pod, signal),
    nodeName === undefined ? undefined : readIfAllowed(kube, { type: NODE, name: nodeName }, signal),
  ]);
  return { pod, events, claims, ...(node === undefined ? {} : { node }) };
}

type Claims = NonNullable<Situation['claims']>;

async function claimsOf(kube: Kube, pod: KubeObject, signal: AbortSignal): Promise<Claims> {
  const { namespace = '' } = pod.metadata;
  const claims = new Map<string, ClaimSituation | 'missing'>();
  const read = async (name: string): Promise<void> => {
    const claim = await readIfAllowed(kube, { type: PERSISTENT_VOLUME_CLAIM, namespace, name }, signal);
    if (claim === 'missing') claims.set(name, claim);
    else if (claim !== undefined) {
      const isBound = textAt(claim, 'status', 'phase') === 'Bound';
      const { uid = '' } = claim.metadata;
      claims.set(name, { claim, events: isBound ? [] : await eventsOf(kube, { namespace, uid }, signal) });
    }
  };
  await Promise.all(claimNames(pod).slice(0, MAX_CLAIMS).map(read));
  return claims;
}

/** Undefined when it is not known whether it is there. */
async function readIfAllowed(
  kube: Kube,
  target: NamedTarget,
  signal: AbortSignal,
): Promise<KubeObject | 'missing' | undefined> {
  try {
    return (await readObject(target, { kube }, signal)) ?? 'missing';
  } catch {
    signal.throwIfAborted();
    // Forbidden, or the server does not answer: a diagnosis is made of what there is.
    return undefined;
  }
}

async function eventsOf(
  kube: Kube,
  about: { namespace: string; uid: string },
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const fieldSelector = `involvedObject.uid=${about.uid}`;
  const events: JsonObject[] = [];
  try {
    const options = { fieldSelector, limit: MAX_EVENTS, signal };
    for await (const { items } of kube.list({ type: EVENT, namespace: about.namespace }, options)) {
      events.push(...items);
      if (events.length >= MAX_EVENTS) break;
    }
  } catch {
    signal.throwIfAborted();
    // As above: the pod's own status says the most.
  }
  return events;
}
