import { isObject, objectAt, type JsonObject } from '../../../base/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../object/index.ts';

export const CRD_STORAGE = 'customresourcedefinitions.apiextensions.k8s.io';
export const CRD_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

export function conditionOf(object: Readonly<ApiObject>, type: string): JsonObject | undefined {
  return listAt(object, 'status', 'conditions')
    .filter(isObject)
    .find((condition) => condition['type'] === type);
}

export function isEstablished(crd: Readonly<ApiObject>): boolean {
  return conditionOf(crd, 'Established')?.['status'] === 'True';
}

/** Fills in the names that were left out, as the real server does before it stores the definition. */
export function completeDefinition(crd: ApiObject): void {
  const spec = objectAt(crd, 'spec');
  const names = objectAt(spec, 'names');
  const kind = scalarTextAt(names, 'kind');
  names['singular'] ??= kind.toLowerCase();
  names['listKind'] ??= `${kind}List`;
  spec['conversion'] ??= { strategy: 'None' };
}

/** The status of a definition nobody has looked at yet. */
export function newDefinitionStatus(crd: Readonly<ApiObject>): JsonObject {
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storageVersions(crd) };
}

function storageVersions(crd: Readonly<ApiObject>): string[] {
  return listAt(crd, 'spec', 'versions')
    .filter(isObject)
    .filter((version) => version['storage'] === true)
    .map((version) => scalarTextAt(version, 'name'));
}

/** Objects may still be stored in every version that was ever the storage version. */
export function keepStoredVersions(crd: ApiObject): void {
  const status = objectAt(crd, 'status');
  const known = listAt(status, 'storedVersions').filter((name) => typeof name === 'string');
  const missing = storageVersions(crd).filter((name) => !known.includes(name));
  if (missing.length > 0) crd['status'] = { ...status, storedVersions: [...known, ...missing] };
}

/** Accepts the names unless another definition of the group has taken one of them. */
export function acceptNames(crd: Readonly<ApiObject>, others: readonly Readonly<ApiObject>[], now: string): JsonObject {
  const names = objectAt(crd, 'spec', 'names');
  const group = scalarTextAt(crd, 'spec', 'group');
  const clash = findClash(
    names,
    others.filter((other) => scalarTextAt(other, 'spec', 'group') === group),
  );
  const status = objectAt(crd, 'status');
  const set = (type: string, value: string, reason: string, message: string): JsonObject => {
    const before = conditionOf(crd, type);
    // Written again only when it changed, or following one's own write would never end.
    const since = before?.['status'] === value ? before['lastTransitionTime'] : now;
    return { type, status: value, lastTransitionTime: since, reason, message };
  };
  if (clash !== undefined) {
    const refused = set('NamesAccepted', 'False', clash.reason, clash.message);
    return {
      ...status,
      conditions: [refused, set('Established', 'False', 'NotAccepted', 'not all names are accepted')],
    };
  }
  const conditions = [
    set('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found'),
    set('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted'),
  ];
  return { ...status, conditions, acceptedNames: names };
}

function findClash(
  names: JsonObject,
  others: readonly Readonly<ApiObject>[],
): { reason: string; message: string } | undefined {
  for (const other of others) {
    const taken = objectAt(other, 'status', 'acceptedNames');
    const resources = new Set([
      scalarTextAt(taken, 'plural'),
      scalarTextAt(taken, 'singular'),
      ...listAt(taken, 'shortNames'),
    ]);
    const kinds = new Set([scalarTextAt(taken, 'kind'), scalarTextAt(taken, 'listKind')]);
    for (const [field, reason] of Object.entries({
      singular: 'SingularConflict',
      kind: 'KindConflict',
      listKind: 'ListKindConflict',
    })) {
      const name = scalarTextAt(names, field);
      if (name !== '' && (field === 'singular' ? resources : kinds).has(name)) {
        return { reason, message: `"${name}" is already in use` };
      }
    }
    const short = listAt(names, 'shortNames').find((name) => resources.has(name));
    if (typeof short === 'string') return { reason: 'ShortNamesConflict', message: `"${short}" is already in use` };
  }
  return undefined;
}
