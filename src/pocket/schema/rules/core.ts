import { isObject, objectsAt, stringifyJson, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { duplicate, forbidden, invalid, notSupported, required, tooLong, type FieldError } from '../field-error.ts';
import { dnsLabel, validateLabels } from './names.ts';
import { frozenData, immutable, isUnchanged, oneOf, portNumber, stringAt, type Rule } from './rule.ts';

const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const CONFIG_KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const MAX_DATA_BYTES = 1024 * 1024;

function validateKeys(map: Json | undefined, field: string): FieldError[] {
  if (!isObject(map)) return [];
  return Object.keys(map)
    .filter((key) => !CONFIG_KEY.test(key))
    .map((key) => invalid(`${field}[${key}]`, key, CONFIG_KEY_TEXT));
}

function dataBytes(map: Json | undefined, isBase64: boolean): number {
  if (!isObject(map)) return 0;
  const sizes = Object.values(map).map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value, isBase64 ? 'base64' : 'utf8') : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

export const configMapRule: Rule = (object, old) => {
  const text = isObject(object['data']) ? object['data'] : {};
  const binary = isObject(object['binaryData']) ? object['binaryData'] : {};
  const both = Object.keys(binary).filter((key) => Object.hasOwn(text, key));
  const size = dataBytes(text, false) + dataBytes(binary, true);
  return [
    ...validateKeys(text, 'data'),
    ...both.map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...validateKeys(binary, 'binaryData'),
    ...(size > MAX_DATA_BYTES ? [tooLong('', MAX_DATA_BYTES)] : []),
    ...frozenData(object, old, ['data', 'binaryData']),
  ];
};

const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

export const secretRule: Rule = (object, old) => {
  const data = isObject(object['data']) ? object['data'] : {};
  const needed = SECRET_KEYS[stringAt(object, 'type')] ?? [];
  return [
    ...validateKeys(data, 'data'),
    ...(dataBytes(data, true) > MAX_DATA_BYTES ? [tooLong('data', MAX_DATA_BYTES)] : []),
    ...needed.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`)),
    ...immutable(object, old, ['type']),
    ...frozenData(object, old, ['data']),
  ];
};

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function validateAccessModes(object: JsonObject): FieldError[] {
  const modes = valueAt(object, 'spec', 'accessModes');
  if (!Array.isArray(modes) || modes.length === 0) {
    const detail = object['kind'] === 'PersistentVolumeClaim' ? 'at least 1 access mode is required' : '';
    return [required('spec.accessModes', detail)];
  }
  return modes.flatMap((mode) => oneOf(mode, 'spec.accessModes', ACCESS_MODES));
}

/** Quantities are in canonical form here, in which nothing is always `0`. */
function positive(quantity: Json, field: string): FieldError[] {
  const isPositive = typeof quantity === 'string' && quantity !== '0' && !quantity.startsWith('-');
  return isPositive ? [] : [invalid(field, quantity, 'must be greater than zero')];
}

/** A bound claim may grow and change its attributes class; nothing else of its spec. */
function fixedClaimSpec(object: JsonObject, old: JsonObject): JsonObject {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const { resources: _resources, volumeAttributesClassName: _class, ...fixed } = spec;
  const rest = stringAt(old, 'status', 'phase') === 'Bound' ? fixed : { ...spec };
  const before = valueAt(old, 'spec');
  // The binder fills in the volume of a claim that has none yet.
  if (stringAt(before, 'volumeName') === '') delete rest['volumeName'];
  if (valueAt(before, 'storageClassName') === undefined) delete rest['storageClassName'];
  return rest;
}

export const claimRule: Rule = (object, old) => {
  const storage = valueAt(object, 'spec', 'resources', 'requests', 'storage');
  const isFixed = !old || isUnchanged(fixedClaimSpec(object, old), fixedClaimSpec(old, old));
  const detail =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [
    ...validateAccessModes(object),
    ...(storage === undefined ? [required('spec.resources[storage]')] : positive(storage, 'spec.resources[storage]')),
    ...oneOf(valueAt(object, 'spec', 'volumeMode'), 'spec.volumeMode', ['Block', 'Filesystem']),
    ...(isFixed ? [] : [forbidden('spec', detail)]),
  ];
};

const NO_SOURCE = new Set([
  ...['capacity', 'accessModes', 'claimRef', 'persistentVolumeReclaimPolicy', 'storageClassName', 'mountOptions'],
  ...['volumeMode', 'nodeAffinity', 'volumeAttributesClassName'],
]);

function volumeSource(object: JsonObject | undefined): JsonObject {
  const spec = valueAt(object, 'spec');
  if (!isObject(spec)) return {};
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !NO_SOURCE.has(key)));
}

function validateCapacity(capacity: Json | undefined): FieldError[] {
  const isStorageOnly = isObject(capacity) && Object.keys(capacity).join() === 'storage';
  if (isStorageOnly) return [];
  const isEmpty = !isObject(capacity) || Object.keys(capacity).length === 0;
  return [
    ...(isEmpty ? [required('spec.capacity')] : []),
    notSupported('spec.capacity', capacity ?? null, ['storage']),
  ];
}

export const volumeRule: Rule = (object, old) => {
  const source = volumeSource(object);
  const reclaim = valueAt(object, 'spec', 'persistentVolumeReclaimPolicy');
  return [
    ...validateAccessModes(object),
    ...validateCapacity(valueAt(object, 'spec', 'capacity')),
    ...(Object.keys(source).length === 0 ? [required('spec', 'must specify a volume type')] : []),
    ...Object.keys(source)
      .slice(1)
      .map((key) => forbidden(`spec.${key}`, 'may not specify more than 1 volume type')),
    ...oneOf(reclaim, 'spec.persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain']),
    ...(old && !isUnchanged(source, volumeSource(old))
      ? [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]
      : []),
  ];
};

const SERVICE_TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** Upstream shows the fields it compares by, in its internal type. */
function portKey(port: JsonObject): JsonObject {
  const { protocol = '', port: number = 0 } = port;
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
}

function validateServicePorts(object: JsonObject): FieldError[] {
  const ports = objectsAt(object, 'spec', 'ports');
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const errors = [
      ...portNumber(port['port'], `${field}.port`),
      ...(typeof port['targetPort'] === 'number' ? portNumber(port['targetPort'], `${field}.targetPort`) : []),
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

export const serviceRule: Rule = (object, old) => {
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
    ...(type === 'ExternalName' ? [] : oneOf(affinity, 'spec.sessionAffinity', ['ClientIP', 'None'])),
    ...(type === 'ExternalName' && stringAt(object, 'spec', 'externalName') === ''
      ? [required('spec.externalName')]
      : []),
    ...(keepsAddress && !isUnchanged(now, before)
      ? [invalid('spec.clusterIPs[0]', now, 'may not change once set')]
      : []),
  ];
};

export const storageClassRule: Rule = (object, old) => [
  ...(stringAt(object, 'provisioner') === '' ? [required('provisioner')] : []),
  ...oneOf(object['reclaimPolicy'], 'reclaimPolicy', ['Delete', 'Retain']),
  ...oneOf(object['volumeBindingMode'], 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']),
  ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
    immutable(object, old, [key]),
  ),
];
