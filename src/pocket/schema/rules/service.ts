import { isObject, objectsAt, stringifyJson, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { duplicate, forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { validateCidr, validateFarIp } from './address.ts';
import { portName } from './container.ts';
import { dnsLabel, subdomain, validateLabels } from './names.ts';
import { isUnchanged, notOneOf, oneOf, portNumber, stringAt, textsAt, type Rule } from './rule.ts';

const SERVICE_TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** Upstream shows the fields it compares by, in its internal type. */
function portKey(port: JsonObject): JsonObject {
  const { protocol = '', port: number = 0 } = port;
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
}

function targetPort(port: Json | undefined, field: string): FieldError[] {
  if (typeof port === 'number') return portNumber(port, field);
  return typeof port === 'string' ? portName(port).map((why) => invalid(field, port, why)) : [];
}

function validateServicePorts(object: JsonObject): FieldError[] {
  const ports = objectsAt(object, 'spec', 'ports');
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const errors = [
      ...portNumber(port['port'], `${field}.port`),
      ...targetPort(port['targetPort'], `${field}.targetPort`),
      ...oneOf(port['protocol'], `${field}.protocol`, ['SCTP', 'TCP', 'UDP']),
    ];
    const name = stringAt(port, 'name');
    if (name !== '') errors.push(...dnsLabel(name).map((error) => invalid(`${field}.name`, name, error)));
    if (name === '' && ports.length > 1) errors.push(required(`${field}.name`));
    if (name !== '' && names.has(name)) errors.push(duplicate(`${field}.name`, name));
    const key = stringifyJson(portKey(port));
    if (numbers.has(key)) errors.push(duplicate(field, portKey(port)));
    names.add(name);
    numbers.add(key);
    return errors;
  });
}

const POLICIES = ['Cluster', 'Local'];

function validateAddresses(spec: JsonObject): FieldError[] {
  const name = stringAt(spec, 'externalName');
  const isName = stringAt(spec, 'type') !== 'ExternalName' || name === '';
  return [
    ...textsAt(spec, 'externalIPs').flatMap((ip, index) => validateFarIp(ip, `spec.externalIPs[${index}]`)),
    ...textsAt(spec, 'loadBalancerSourceRanges').flatMap((range, index) =>
      validateCidr(range, `spec.LoadBalancerSourceRanges[${index}]`),
    ),
    ...(isName ? [] : subdomain(name.replace(/\.$/, '')).map((why) => invalid('spec.externalName', name, why))),
  ];
}

/** What only some types of service have. */
function validateTraffic(spec: JsonObject): FieldError[] {
  const type = stringAt(spec, 'type');
  const external = stringAt(spec, 'externalTrafficPolicy');
  const hasExternalIps = type === 'ClusterIP' && textsAt(spec, 'externalIPs').length > 0;
  const isReachable = type === 'NodePort' || type === 'LoadBalancer' || hasExternalIps;
  const field = 'spec.externalTrafficPolicy';
  return [
    ...(external !== '' && !isReachable
      ? [invalid(field, external, 'may only be set for externally-accessible services')]
      : notOneOf(external, field, POLICIES)),
    ...notOneOf(spec['internalTrafficPolicy'], 'spec.internalTrafficPolicy', POLICIES),
    ...(stringAt(spec, 'loadBalancerClass') !== '' && type !== 'LoadBalancer'
      ? [forbidden('spec.loadBalancerClass', "may only be used when `type` is 'LoadBalancer'")]
      : []),
  ];
}

const LONGEST_AFFINITY = 86_400;

function validateAffinity(spec: JsonObject): FieldError[] {
  const seconds = valueAt(spec, 'sessionAffinityConfig', 'clientIP', 'timeoutSeconds');
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  const isWrong = typeof seconds === 'number' && (seconds <= 0 || seconds > LONGEST_AFFINITY);
  return isWrong ? [invalid(field, seconds, `must be greater than 0 and less than ${LONGEST_AFFINITY}`)] : [];
}

export const serviceRule: Rule = (object, old) => {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const type = stringAt(object, 'spec', 'type');
  const affinity = valueAt(object, 'spec', 'sessionAffinity');
  const isHeadless = stringAt(object, 'spec', 'clusterIP') === 'None';
  const hasPorts = objectsAt(object, 'spec', 'ports').length > 0;
  const before = valueAt(old, 'spec', 'clusterIPs');
  const now = valueAt(object, 'spec', 'clusterIPs');
  const keepsAddress = type !== 'ExternalName' && Array.isArray(before) && before.length > 0 && Array.isArray(now);
  return [
    ...(hasPorts || isHeadless || type === 'ExternalName' ? [] : [required('spec.ports')]),
    ...validateServicePorts(object),
    ...validateLabels(valueAt(object, 'spec', 'selector'), 'spec.selector'),
    ...oneOf(type, 'spec.type', SERVICE_TYPES),
    ...validateAffinity(spec),
    ...validateAddresses(spec),
    ...validateTraffic(spec),
    ...(type === 'ExternalName' ? [] : oneOf(affinity, 'spec.sessionAffinity', ['ClientIP', 'None'])),
    ...(type === 'ExternalName' && stringAt(object, 'spec', 'externalName') === ''
      ? [required('spec.externalName')]
      : []),
    ...(keepsAddress && !isUnchanged(now, before)
      ? [invalid('spec.clusterIPs[0]', now, 'may not change once set')]
      : []),
  ];
};
