import { textAt } from '../../../base/index.ts';
import { diagnoseClaims } from './claims.ts';
import { diagnoseContainers } from './containers.ts';
import { podText, type PodDiagnosis, type Situation } from './diagnosis.ts';
import { diagnoseEnded } from './ended.ts';
import { diagnoseNode } from './node.ts';
import { diagnoseScheduling } from './scheduling.ts';

/** What is in the way of a pod; undefined when nothing is, or nothing that anybody has noticed yet. */
export function diagnosePod(situation: Situation): PodDiagnosis | undefined {
  const { pod } = situation;
  const phase = textAt(pod, 'status', 'phase');
  if (phase === 'Succeeded') return undefined;
  if (phase === 'Failed') return diagnoseEnded(pod);
  return (
    diagnoseDeletion(situation) ??
    diagnoseNode(situation) ??
    diagnoseScheduling(situation) ??
    diagnoseContainers(situation) ??
    diagnoseClaims(situation)
  );
}

function diagnoseDeletion({ pod }: Situation): PodDiagnosis | undefined {
  if (textAt(pod, 'metadata', 'deletionTimestamp') === undefined) return undefined;
  return {
    reason: 'PodDeleted',
    cause: `${podText(pod)} is being deleted`,
    hint: 'somebody has deleted it, or drains its node',
    outlook: 'hopeless',
    code: 'unreachable',
  };
}
