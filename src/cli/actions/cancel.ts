import { AppError } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { CANCEL_ANNOTATION } from '../../core/operations/index.ts';
import { operationOf } from './get.ts';
import { getNamed, nounOf, type Scope } from './open-cluster.ts';
import { watchOperations } from './watch.ts';

/** Asks a running operation to stop. Without --wait it returns once the cluster has taken the wish. */
export async function cancelOperation(
  scope: Scope,
  type: ResourceType,
  { name, wait, timeoutMs }: { name: string; wait: boolean; timeoutMs?: number },
): Promise<number> {
  const { deps, kube, namespace } = scope;
  const noun = nounOf(type.kind);
  const operation = operationOf(scope, await getNamed(scope, type, name));
  if (isTerminal(operation.report.state)) {
    throw new AppError('conflict', `cannot cancel ${noun} "${name}": it has already finished (${operation.phase})`);
  }
  const body = { metadata: { annotations: { [CANCEL_ANNOTATION]: 'true' } } };
  await kube.patch({ type, namespace, name }, { kind: 'merge', body }, { signal: deps.signal });
  if (!wait) {
    deps.output.line(`${noun}/${name} is being canceled`);
    deps.output.note(`Watch it stop with: ${deps.programName} watch ${noun}/${name}`);
    return 0;
  }
  const code = await watchOperations(scope, {
    target: { kind: noun, name },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (deps.signal.aborted) return code;
  // What was asked for is that it ends; that it ended canceled is success.
  const ended = operationOf(scope, await getNamed(scope, type, name));
  return ended.report.state === 'canceled' ? 0 : code;
}
