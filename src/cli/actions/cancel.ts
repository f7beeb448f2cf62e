import { AppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { Kind } from '../objects/kinds.ts';
import { findNamed } from './find-objects.ts';
import { operationOf } from './get.ts';
import type { Scope } from './open-cluster.ts';
import { watchOperations } from './watch.ts';

/** Asks a running operation to stop. Without --wait it returns once the cluster has taken the wish. */
export async function cancelOperation(
  scope: Scope,
  kinds: readonly Kind[],
  { name: text, wait, timeoutMs }: { name: string; wait: boolean; timeoutMs?: number },
): Promise<number> {
  const { deps, kube } = scope;
  const found = await findNamed(scope, kinds, text);
  const operation = operationOf(scope, found);
  const { kind, object } = found;
  const { noun, type, adapter } = kind;
  const { name, namespace } = object.metadata;
  if (operation === undefined || adapter?.cancel === undefined) {
    throw new AppError('invalid', `cannot cancel ${noun} "${name}": a ${type.kind} cannot be canceled by itself`, {
      details: { hint: 'Cancel the operation that it is part of' },
    });
  }
  if (isTerminal(operation.report.state)) {
    throw new AppError('conflict', `cannot cancel ${noun} "${name}": it has already finished (${operation.phase})`);
  }
  const place = namespace === undefined ? {} : { namespace };
  // Said before it is done: what goes then cannot be had back.
  deps.output.note(`It stops where it is: ${adapter.afterCancel}`);
  await kube.patch({ type, name, ...place }, { kind: 'merge', body: adapter.cancel.patch }, { signal: deps.signal });
  const target = { kind: type.kind, name, ...place };
  if (!wait) {
    deps.output.line(`${noun}/${name} is being canceled`);
    const where = adapter.scope === 'all' && namespace !== undefined ? ` -n ${namespace}` : '';
    deps.output.note(`Watch it stop with: ${deps.programName} watch ${noun}/${name}${where}`);
    return 0;
  }
  const code = await watchOperations([scope], { target, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  if (deps.signal.aborted) return code;
  // What was asked for is that it ends; that it ended canceled is success.
  const ended = operationOf(scope, await findNamed(scope, [kind], name));
  return ended?.report.state === 'canceled' ? 0 : code;
}
