import { isObject, objectsAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { validateCidr } from './address.ts';
import { notOneOf, portNumber, stringAt, type Rule } from './rule.ts';
import { validateLabelSelector } from './label-selector.ts';

function validatePeer(peer: JsonObject, field: string): FieldError[] {
  const block = peer['ipBlock'];
  const others = ['podSelector', 'namespaceSelector'].filter((key) => isObject(peer[key]));
  if (isObject(block) && others.length > 0) return [forbidden(field, 'may not specify both ipBlock and another peer')];
  if (!isObject(block) && others.length === 0) return [required(field, 'must specify a peer')];
  return [
    ...others.flatMap((key) => validateLabelSelector(peer[key], `${field}.${key}`)),
    ...(isObject(block) ? validateCidr(stringAt(block, 'cidr'), `${field}.ipBlock.cidr`) : []),
  ];
}

function validatePort(port: JsonObject, field: string): FieldError[] {
  const number = port['port'];
  const end = port['endPort'];
  return [
    ...notOneOf(port['protocol'], `${field}.protocol`, ['TCP', 'UDP', 'SCTP']),
    ...(typeof number === 'number' ? portNumber(number, `${field}.port`) : []),
    ...(typeof number === 'number' && typeof end === 'number' && end < number
      ? [invalid(`${field}.endPort`, number, 'must be greater than or equal to `port`')]
      : []),
  ];
}

function validateRules(object: JsonObject, key: string, peers: string): FieldError[] {
  return objectsAt(object, 'spec', key).flatMap((rule, index) => {
    const field = `spec.${key}[${index}]`;
    return [
      ...objectsAt(rule, 'ports').flatMap((port, at) => validatePort(port, `${field}.ports[${at}]`)),
      ...objectsAt(rule, peers).flatMap((peer, at) => validatePeer(peer, `${field}.${peers}[${at}]`)),
    ];
  });
}

export const networkPolicyRule: Rule = (object) => {
  const types = valueAt(object, 'spec', 'policyTypes');
  const words: Json[] = Array.isArray(types) ? types : [];
  return [
    ...validateLabelSelector(valueAt(object, 'spec', 'podSelector'), 'spec.podSelector'),
    ...validateRules(object, 'ingress', 'from'),
    ...validateRules(object, 'egress', 'to'),
    ...words.flatMap((type, index) => notOneOf(type, `spec.policyTypes[${index}]`, ['Ingress', 'Egress'])),
  ];
};
