import { type BackupSpec, CONFIG_MAP } from '../../../api/index.ts';
import { isAppError, textsAt } from '../../../base/index.ts';
import type { Kube } from '../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { type ParsedPolicies, parseResourcePolicies } from '../../../core/selection/index.ts';
import { readYaml } from '../../operation/index.ts';

/** The rules in the ConfigMap that a backup or restore names; undefined when it names none. */
export async function readPolicies(
  kube: Kube,
  namespace: string,
  reference: BackupSpec['resourcePolicy'],
  signal: AbortSignal,
): Promise<ParsedPolicies | undefined> {
  // Any other kind is a problem that validation reports.
  if (reference === undefined || reference.kind.toLowerCase() !== 'configmap') return undefined;
  const where = `ConfigMap ${namespace}/${reference.name}`;
  try {
    const target = { type: CONFIG_MAP, namespace, name: reference.name };
    const data = textsAt(await kube.get(target, { signal, deadlineMs: CALL_DEADLINE_MS }), 'data');
    const documents = Object.values(data);
    if (documents.length !== 1) return { problems: [`${where}: expected exactly one key, got ${documents.length}`] };
    const [read = { problem: 'it was not read' }] = await readYaml(documents, signal);
    if ('problem' in read) return { problems: [`${where}: expected YAML: ${read.problem}`] };
    return parseResourcePolicies(read.value);
  } catch (error) {
    if (isAppError(error, 'notFound')) return { problems: [`${where} does not exist`] };
    throw error;
  }
}
