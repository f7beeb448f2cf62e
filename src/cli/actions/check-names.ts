import { isAppError, messageOf, valueAt } from '../../base/index.ts';
import type { SelectionAnswer } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { ServerFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';
import { askServer, findServer } from './find-server.ts';
import { refusalLines, unmatchedLines } from './plan.ts';

/** Fields whose names may match nothing. */
const CHOOSING = [
  'includedNamespaces',
  'includedResources',
  'includedNamespaceScopedResources',
  'includedClusterScopedResources',
  'labelSelector',
  'orLabelSelectors',
  'namespaceMapping',
];

/** Where that which it selects is. */
const SOURCES: Readonly<Record<string, string>> = { Backup: 'cluster', Restore: 'backup' };

/**
 * Before something is created: says which names in it match nothing. False when it must not be created, because it
 * would be refused or would do nothing at all. Without a server nobody knows; the result tells it then.
 */
export async function namesAreGood(deps: CliDeps, object: KubeObject, flags: ServerFlags): Promise<boolean> {
  if (!CHOOSING.some((field) => valueAt(object, 'spec', field) !== undefined)) return true;
  const answer = await askAbout(deps, object, flags);
  if (answer === undefined) return true;
  const { output } = deps;
  if (answer.validationErrors.length > 0) {
    for (const line of refusalLines(answer.validationErrors)) output.note(line);
    output.note('Nothing was created.');
    return false;
  }
  for (const line of unmatchedLines(answer.unmatched)) output.note(line);
  if (!answer.isNothing) return true;
  output.note(`▲ Nothing in the ${SOURCES[object.kind] ?? 'cluster'} is selected.`);
  if ((await deps.confirm('Create it all the same?')) === true) return true;
  output.note('Nothing was created. Correct the names and try again.');
  return false;
}

async function askAbout(deps: CliDeps, object: KubeObject, flags: ServerFlags): Promise<SelectionAnswer | undefined> {
  try {
    const served = await findServer(deps, flags);
    if (served === undefined) return undefined;
    const query = { cluster: served.cluster };
    const request = { method: 'POST', path: '/api/selection', query, body: object } as const;
    return (await askServer(served, request)) as SelectionAnswer;
  } catch (error) {
    deps.signal.throwIfAborted();
    // The object may be created all the same, and what is wrong with the names is told when it has ended.
    if (!isAppError(error)) throw error;
    deps.output.note(`▲ The names in it were not checked: ${messageOf(error)}`);
    return undefined;
  }
}
