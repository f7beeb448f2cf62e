import type { JsonObject } from '../../../base/index.ts';
import type { FieldError } from '../../schema/index.ts';
import { scalarTextAt } from '../object/index.ts';

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The rule for names of custom resources. */
export function checkCustomName(object: JsonObject): FieldError[] {
  const name = scalarTextAt(object, 'metadata', 'name');
  const why = name.length > 253 ? 'must be no more than 253 characters' : SUBDOMAIN.test(name) ? '' : RULE;
  if (name === '' || why === '') return [];
  const message = `Invalid value: ${JSON.stringify(name)}: ${why}`;
  return [{ reason: 'FieldValueInvalid', message, field: 'metadata.name' }];
}
