import { objectsAt, textAt } from '../../../base/index.ts';
import { diagnoseClaims } from './claims.ts';
import { podText, said, type PodDiagnosis, type Situation } from './diagnosis.ts';

/** What the scheduler thought of making room, which helps nobody. */
const AFTERTHOUGHT = /(?: no new claims to deallocate,?)? preemption: .*$/s;

/** A pod that is on no node yet. */
export function diagnoseScheduling(situation: Situation): PodDiagnosis | undefined {
  const { pod } = situation;
  if (textAt(pod, 'spec', 'nodeName') !== undefined || (textAt(pod, 'status', 'phase') ?? 'Pending') !== 'Pending') {
    return undefined;
  }
  const scheduled = objectsAt(pod, 'status', 'conditions').find(({ type }) => type === 'PodScheduled');
  // A claim without a volume is why no node fits; the scheduler names neither claim nor cause.
  const claim = diagnoseClaims(situation);
  if (claim !== undefined && claim.outlook === 'hopeless') return claim;
  if (scheduled === undefined) {
    return {
      reason: 'NotScheduled',
      cause: `${podText(pod)} waits for a node, and no scheduler has looked at it`,
      hint: 'check that kube-scheduler runs',
      outlook: 'open',
    };
  }
  if (scheduled['status'] === 'True') return undefined;
  const why = said(textAt(scheduled, 'message')?.replace(AFTERTHOUGHT, ''));
  if (claim !== undefined && /unbound|persistentvolumeclaim/i.test(why)) return claim;
  if (textAt(scheduled, 'reason') === 'SchedulingGated') {
    return {
      reason: 'SchedulingGated',
      cause: `${podText(pod)} is held back by a scheduling gate${why === '' ? '' : `: ${why}`}`,
      hint: 'it starts when whoever set the gate removes it',
      outlook: 'open',
    };
  }
  return {
    reason: 'Unschedulable',
    cause: `${podText(pod)} fits on no node: ${why === '' ? 'the scheduler does not say why' : why}`,
    hint: 'free resources or add a node: the pod starts as soon as one fits',
    outlook: 'open',
  };
}
