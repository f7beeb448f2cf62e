import { isObject, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '../field-error.ts';
import { validateLabelSelector } from './label-selector.ts';
import { subdomain } from './names.ts';
import { immutable, isUnchanged, oneOf, stringAt, type Rule } from './rule.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

function validateAccessModes(object: JsonObject): FieldError[] {
  const modes = valueAt(object, 'spec', 'accessModes');
  if (!Array.isArray(modes) || modes.length === 0) {
    const detail = object['kind'] === 'PersistentVolumeClaim' ? 'at least 1 access mode is required' : '';
    return [required('spec.accessModes', detail)];
  }
  const isAlone = modes.length === 1 || !modes.includes('ReadWriteOncePod');
  return [
    ...modes.flatMap((mode) => oneOf(mode, 'spec.accessModes', ACCESS_MODES)),
    ...(isAlone ? [] : [forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes')]),
  ];
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
  const className = stringAt(object, 'spec', 'storageClassName');
  const isFixed = !old || isUnchanged(fixedClaimSpec(object, old), fixedClaimSpec(old, old));
  const detail =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [
    ...validateAccessModes(object),
    ...(storage === undefined ? [required('spec.resources[storage]')] : positive(storage, 'spec.resources[storage]')),
    ...oneOf(valueAt(object, 'spec', 'volumeMode'), 'spec.volumeMode', ['Block', 'Filesystem']),
    ...validateLabelSelector(valueAt(object, 'spec', 'selector'), 'spec.selector'),
    ...(className === '' ? [] : subdomain(className).map((why) => invalid('spec.storageClassName', className, why))),
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
  if (isStorageOnly) return positive(capacity['storage'] ?? null, 'spec.capacity[storage]');
  const isEmpty = !isObject(capacity) || Object.keys(capacity).length === 0;
  return [
    ...(isEmpty ? [required('spec.capacity')] : []),
    notSupported('spec.capacity', capacity ?? null, ['storage']),
  ];
}

/** What the commonest sources cannot be without. */
const SOURCE_NEEDS: Readonly<Record<string, readonly string[]>> = {
  csi: ['driver', 'volumeHandle'],
  nfs: ['server', 'path'],
  hostPath: ['path'],
  local: ['path'],
};

function neededBySource(source: JsonObject): FieldError[] {
  return Object.entries(SOURCE_NEEDS).flatMap(([key, fields]) =>
    isObject(source[key])
      ? fields.filter((name) => stringAt(source, key, name) === '').map((name) => required(`spec.${key}.${name}`))
      : [],
  );
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
    ...neededBySource(source),
    ...(source['local'] !== undefined && valueAt(object, 'spec', 'nodeAffinity') === undefined
      ? [required('spec.nodeAffinity', 'Local volume requires node affinity')]
      : []),
    ...immutable(object, old, ['spec', 'volumeMode']).map((error) => ({ ...error, field: 'volumeMode' })),
    ...(old && !isUnchanged(source, volumeSource(old))
      ? [forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')]
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
