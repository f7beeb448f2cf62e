import { isObject } from '../../../../base/index.ts';
import type { FieldError } from '../../../schema/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { completeDefinition, keepStoredVersions, newDefinitionStatus } from '../crd-status.ts';
import type { KindRules } from './kind-rules.ts';

export const definitionRules: KindRules = {
  create(object) {
    completeDefinition(object);
    object['status'] = newDefinitionStatus(object);
    return [...checkName(object), ...checkVersions(object)];
  },
  update(object) {
    completeDefinition(object);
    keepStoredVersions(object);
    return checkVersions(object);
  },
};

function checkVersions(object: ApiObject): FieldError[] {
  const versions = listAt(object, 'spec', 'versions').filter(isObject);
  const stored = versions.filter((version) => version['storage'] === true);
  if (stored.length === 1) return [];
  const value = JSON.stringify(versions.map((version) => scalarTextAt(version, 'name')));
  const message = `Invalid value: ${value}: must have exactly one version marked as storage version`;
  return [{ reason: 'FieldValueInvalid', message, field: 'spec.versions' }];
}

function checkName(object: ApiObject): FieldError[] {
  const expected = `${scalarTextAt(object, 'spec', 'names', 'plural')}.${scalarTextAt(object, 'spec', 'group')}`;
  if (object.metadata.name === expected) return [];
  const message = `Invalid value: ${JSON.stringify(object.metadata.name)}: must be spec.names.plural+"."+spec.group`;
  return [{ reason: 'FieldValueInvalid', message, field: 'metadata.name' }];
}
