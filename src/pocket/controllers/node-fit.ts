import { matchesExpression, matchesLabels } from './selector.ts';
import type { Node, NodeSelectorTerm, PodSpec, Taint, Toleration } from './kinds/index.ts';

export type Misfit = 'nodeAffinity' | 'taint' | 'unschedulable';

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Why a pod may not run on a node; undefined when it may. Sizes do not matter, because nothing runs. */
export function misfitOf(spec: PodSpec, node: Node): { misfit: Misfit; taint?: Taint } | undefined {
  if (!matchesNode(spec, node)) return { misfit: 'nodeAffinity' };
  const tolerations = spec.tolerations ?? [];
  if (node.spec?.unschedulable === true && !isTolerated(UNSCHEDULABLE, tolerations)) {
    return { misfit: 'unschedulable' };
  }
  const taint = (node.spec?.taints ?? []).find(
    (one) => one.effect !== 'PreferNoSchedule' && !isTolerated(one, tolerations),
  );
  return taint === undefined ? undefined : { misfit: 'taint', taint };
}

function matchesNode(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (!matchesLabels(spec.nodeSelector ?? {}, labels)) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesTerms(required.nodeSelectorTerms ?? [], node);
}

/** Terms are alternatives; an empty term matches nothing. */
export function matchesTerms(terms: readonly NodeSelectorTerm[], node: Node): boolean {
  const fields = { 'metadata.name': node.metadata.name };
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    const labels = node.metadata.labels ?? {};
    return (
      matchExpressions.every((one) => matchesExpression(one, labels)) &&
      matchFields.every((one) => matchesExpression(one, fields))
    );
  });
}

function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((toleration) => {
    const { key = '', operator = 'Equal', value = '', effect = '' } = toleration;
    if (effect !== '' && effect !== taint.effect) return false;
    if (key === '') return operator === 'Exists';
    return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''));
  });
}
