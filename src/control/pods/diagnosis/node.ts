import { objectsAt, textAt } from '../../../base/index.ts';
import { podText, said, type PodDiagnosis, type Situation } from './diagnosis.ts';

/** What the node says, of a pod that is bound to one; whatever else the pod's status says is as old as that. */
export function diagnoseNode({ pod, node }: Situation): PodDiagnosis | undefined {
  if (node === undefined) return undefined;
  const name = textAt(pod, 'spec', 'nodeName') ?? '';
  if (node === 'missing') {
    return {
      reason: 'NodeGone',
      cause: `${podText(pod)} was on node ${name}, which is not in the cluster any more`,
      hint: 'it has to run again on another node',
      outlook: 'hopeless',
      code: 'unreachable',
    };
  }
  const ready = objectsAt(node, 'status', 'conditions').find(({ type }) => type === 'Ready');
  if (ready === undefined || ready['status'] === 'True') return undefined;
  const why = said(textAt(ready, 'message') ?? textAt(ready, 'reason'));
  return {
    reason: 'NodeNotReady',
    cause: `${podText(pod)} is on node ${name}, which is not ready${why === '' ? '' : `: ${why}`}`,
    hint: `see kubectl describe node ${name}: the pod goes on when the node does`,
    outlook: 'open',
  };
}
