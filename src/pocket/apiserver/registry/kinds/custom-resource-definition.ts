import type { FieldError } from '../../../schema/index.ts';
import { scalarTextAt, type ApiObject } from '../../object/index.ts';
import { completeDefinition, keepStoredVersions, newDefinitionStatus } from '../crd-status.ts';
import type { KindRules } from './kind-rules.ts';

export const definitionRules: KindRules = {
  create(object) {
    completeDefinition(object);
    object['status'] = newDefinitionStatus(object);
    return checkName(object);
  },
  update(object) {
    completeDefinition(object);
    keepStoredVersions(object);
    return [];
  },
};

function checkName(object: ApiObject): FieldError[] {
  const expected = `${scalarTextAt(object, 'spec', 'names', 'plural')}.${scalarTextAt(object, 'spec', 'group')}`;
  if (object.metadata.name === expected) return [];
  const message = `Invalid value: ${JSON.stringify(object.metadata.name)}: must be spec.names.plural+"."+spec.group`;
  return [{ reason: 'FieldValueInvalid', message, field: 'metadata.name' }];
}
