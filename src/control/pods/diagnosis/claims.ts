import { objectsAt, textAt } from '../../../base/index.ts';
import { podText, said, type ClaimSituation, type PodDiagnosis, type Situation } from './diagnosis.ts';
import { newestEvent } from './events.ts';

/** The first claim of a pod that cannot be mounted. */
export function diagnoseClaims({ pod, claims }: Situation): PodDiagnosis | undefined {
  if (claims === undefined) return undefined;
  for (const name of claimNames(pod)) {
    const found = claims.get(name);
    const diagnosis = found === undefined ? undefined : diagnoseClaim(pod, name, found);
    if (diagnosis !== undefined) return diagnosis;
  }
  return undefined;
}

/** Also those that the cluster makes for the pod's own volumes. */
export function claimNames(pod: Situation['pod']): string[] {
  const own = textAt(pod, 'metadata', 'name') ?? '';
  return objectsAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const named = textAt(volume, 'persistentVolumeClaim', 'claimName');
    if (named !== undefined) return [named];
    return volume['ephemeral'] === undefined ? [] : [`${own}-${textAt(volume, 'name') ?? ''}`];
  });
}

function diagnoseClaim(
  pod: Situation['pod'],
  name: string,
  found: ClaimSituation | 'missing',
): PodDiagnosis | undefined {
  const claim = `claim ${textAt(pod, 'metadata', 'namespace') ?? ''}/${name}`;
  const needs = `${podText(pod)} needs ${claim}`;
  if (found === 'missing') {
    return {
      reason: 'ClaimMissing',
      cause: `${needs}, which does not exist`,
      hint: 'create the claim, or check its name',
      outlook: 'hopeless',
    };
  }
  const phase = textAt(found.claim, 'status', 'phase') ?? 'Pending';
  if (phase === 'Lost') {
    return {
      reason: 'ClaimLost',
      cause: `${needs}, whose volume is gone`,
      hint: 'delete the claim and create it anew, its data is lost with the volume',
      outlook: 'hopeless',
    };
  }
  if (textAt(found.claim, 'metadata', 'deletionTimestamp') !== undefined) {
    return {
      reason: 'ClaimDeleted',
      cause: `${needs}, which is being deleted`,
      hint: 'it goes when the last pod that uses it has ended',
      outlook: 'hopeless',
    };
  }
  return phase === 'Pending' ? unbound(needs, claim, found) : undefined;
}

/** Nobody makes a volume until a person has helped. */
const HOPELESS = /storageclass\S* "[^"]*" not found|no storage class is set|no volume plugin matched/i;

function unbound(needs: string, claim: string, { claim: object, events }: ClaimSituation): PodDiagnosis {
  const event = newestEvent(events, ['ProvisioningFailed', 'FailedBinding', 'ProvisioningCleanupFailed']);
  const waits = newestEvent(events, ['ExternalProvisioning', 'WaitForFirstConsumer', 'WaitForPodScheduled']);
  const why = said(textAt(event ?? waits, 'message'));
  const storageClass = textAt(object, 'spec', 'storageClassName');
  const of = storageClass === undefined ? '' : ` of class ${said(storageClass)}`;
  return {
    reason: 'ClaimUnbound',
    cause: `${needs}, which has no volume${of} yet${why === '' ? '' : `: ${why}`}`,
    hint: `see kubectl describe pvc of ${claim}, and its storage class`,
    outlook: event !== undefined && HOPELESS.test(why) ? 'hopeless' : 'open',
  };
}
