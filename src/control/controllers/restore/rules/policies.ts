import type { Restore } from '../../../../api/index.ts';
import { readPolicies } from '../../backup/index.ts';
import type { ModifierSource } from './modifiers.ts';
import { type ParsedPolicies, problemsForRestore } from '../../../../core/selection/index.ts';

/** The filters in the ConfigMap that a restore names; undefined when it names none. */
export async function readRestorePolicies(
  spec: Restore['spec'],
  { kube, namespace, signal }: ModifierSource,
): Promise<ParsedPolicies | undefined> {
  const read = await readPolicies(kube, namespace, spec.resourcePolicy, signal);
  const problems = read?.policies === undefined ? [] : problemsForRestore(read.policies);
  return problems.length > 0 ? { problems } : read;
}
