import { objectAt, textAt, textsAt, valueAt, without, type Json, type JsonObject } from '../../../src/base/index.ts';
import { pairsIn, pairsText } from '../forms/labels.ts';
import { parseOperationId } from '../../../src/core/operations/operation-id.ts';

/** What the wizard has been told so far; it lives in the address, so a reload loses nothing. */
export interface RestoreDraft {
  name: string;
  /** Empty takes all. */
  namespaces: string[];
  resources: string[];
  /** `app=shop, tier!=cache` without the second form: only equality. */
  labels: string;
  cluster: string;
  mapping: Record<string, string>;
  policy: 'none' | 'update';
  /** Compare every restored file with the checksum that the backup recorded. */
  isVerified: boolean;
}

export type DraftQuery = Readonly<Record<string, string | undefined>>;

/** What the address does not say is as in the restore that is retried, or empty. */
export function draftOf(
  backupId: string,
  query: DraftQuery,
  { name, spec: base }: { name: string; spec: JsonObject },
): RestoreDraft {
  const backup = parseOperationId(backupId);
  return {
    name: query['name'] ?? name,
    namespaces: listOf(query['ns'], valueAt(base, 'includedNamespaces')),
    resources: listOf(query['kinds'], valueAt(base, 'includedResources')),
    labels: query['labels'] ?? pairsText(textsAt(base, 'labelSelector', 'matchLabels'), '='),
    cluster: query['to'] ?? backup.cluster,
    mapping: query['map'] === undefined ? textsAt(base, 'namespaceMapping') : pairsIn(query['map'], ':', ','),
    policy: (query['exists'] ?? textAt(base, 'existingResourcePolicy')) === 'update' ? 'update' : 'none',
    isVerified: query['verify'] === '1',
  };
}

/** As the address holds it. `*` says that everything is meant, where a retried restore said less. */
export function queryOf(change: Partial<RestoreDraft>): DraftQuery {
  const { name, namespaces, resources, labels, cluster, mapping, policy, isVerified } = change;
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespaces === undefined ? {} : { ns: namespaces.join(',') || '*' }),
    ...(resources === undefined ? {} : { kinds: resources.join(',') || '*' }),
    ...(labels === undefined ? {} : { labels }),
    ...(cluster === undefined ? {} : { to: cluster }),
    ...(mapping === undefined ? {} : { map: pairsText(mapping, ':') }),
    ...(policy === undefined ? {} : { exists: policy }),
    ...(isVerified === undefined ? {} : { verify: isVerified ? '1' : undefined }),
  };
}

/** The spec to send: what the wizard does not ask about stays as the retried restore had it. */
export function specOf(backupName: string, draft: RestoreDraft, base: JsonObject): JsonObject {
  const kept = without(
    base,
    'includedNamespaces',
    'includedResources',
    'labelSelector',
    'namespaceMapping',
    'existingResourcePolicy',
    // The engine writes it beside the backup; asked for both, it would not know which is meant.
    'scheduleName',
  );
  const labels = pairsIn(draft.labels, '=');
  const selector = {
    ...without(objectAt(base, 'labelSelector'), 'matchLabels'),
    ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
  };
  const mapping = Object.fromEntries(Object.entries(draft.mapping).filter(([from, to]) => to !== '' && to !== from));
  return {
    ...kept,
    backupName,
    ...(draft.namespaces.length > 0 && { includedNamespaces: draft.namespaces }),
    ...(draft.resources.length > 0 && { includedResources: draft.resources }),
    ...(Object.keys(selector).length > 0 && { labelSelector: selector }),
    ...(Object.keys(mapping).length > 0 && { namespaceMapping: mapping }),
    ...(draft.policy === 'update' && { existingResourcePolicy: 'update' }),
  };
}

function listOf(text: string | undefined, base: Json | undefined): string[] {
  const names = text?.split(',') ?? (Array.isArray(base) ? base.map(String) : []);
  return names.filter((name) => name !== '' && name !== '*');
}
