import { Backup } from '../../../api/index.ts';
import { isAppError, labelValue, messageOf, objectAt, textAt, textsAt } from '../../../base/index.ts';
import type { Json, JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';

const LOCATION_LABEL = 'velero.io/storage-location';
const ENDED = ['Completed', 'PartiallyFailed', 'Failed'];

export type ImportDecision =
  /** `unknown`: fields that the cluster will drop; they stay in the store. */
  | { kind: 'import'; backup: KubeObject; unknown: readonly string[] }
  /** Somebody still works on it. */
  | { kind: 'later' }
  | { kind: 'problem'; problem: string };

/** What to do about the metadata file in the folder of that name. */
export function decideImport(
  folder: string,
  found: Json,
  place: { namespace: string; location: string },
): ImportDecision {
  let unknown: readonly string[];
  try {
    unknown = Backup.parse(found).unknown;
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    return { kind: 'problem', problem: messageOf(error) };
  }
  const name = textAt(found, 'metadata', 'name') ?? '';
  if (name !== folder) return { kind: 'problem', problem: `it claims the name ${JSON.stringify(name)}` };
  if (!ENDED.includes(textAt(found, 'status', 'phase') ?? '')) return { kind: 'later' };
  return { kind: 'import', backup: importedBackup(found as JsonObject, name, place), unknown };
}

/** Only what is true in every cluster: owners and finalizers belong to the cluster that created it. */
function importedBackup(
  found: JsonObject,
  name: string,
  { namespace, location }: { namespace: string; location: string },
): KubeObject {
  const labels = { ...textsAt(found, 'metadata', 'labels'), [LOCATION_LABEL]: labelValue(location) };
  return {
    apiVersion: 'velero.io/v1',
    kind: 'Backup',
    metadata: { name, namespace, labels, annotations: textsAt(found, 'metadata', 'annotations') },
    spec: { ...objectAt(found, 'spec'), storageLocation: location },
    status: objectAt(found, 'status'),
  };
}
