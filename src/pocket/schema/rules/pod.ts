import { isObject, objectsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { duplicate, forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { validateContainer } from './container.ts';
import { dnsLabel } from './names.ts';
import { validatePlacement } from './pod-placement.ts';
import { validateVolume } from './pod-volume.ts';
import { isUnchanged, oneOf, stringAt, type Rule } from './rule.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];

function namesOf(items: JsonObject[], field: string, taken: Set<string>): FieldError[] {
  return items.flatMap((item, index) => {
    const name = stringAt(item, 'name');
    const path = `${field}[${index}].name`;
    if (name === '') return [required(path)];
    const errors = dnsLabel(name).map((error) => invalid(path, name, error));
    if (taken.has(name)) errors.push(duplicate(path, name));
    taken.add(name);
    return errors;
  });
}

export function validatePodSpec(spec: JsonObject, field: string): FieldError[] {
  const volumes = objectsAt(spec, 'volumes');
  const volumeNames = new Set(volumes.map((volume) => stringAt(volume, 'name')));
  const containers = objectsAt(spec, 'containers');
  const initContainers = objectsAt(spec, 'initContainers');
  const taken = new Set<string>();
  const each = (items: JsonObject[], key: string): FieldError[] =>
    items.flatMap((item, index) => validateContainer(item, `${field}.${key}[${index}]`, volumeNames));
  return [
    ...namesOf(volumes, `${field}.volumes`, new Set()),
    ...volumes.flatMap((volume, index) => validateVolume(volume, `${field}.volumes[${index}]`)),
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...namesOf(containers, `${field}.containers`, taken),
    ...each(containers, 'containers'),
    ...namesOf(initContainers, `${field}.initContainers`, taken),
    ...each(initContainers, 'initContainers'),
    ...oneOf(spec['restartPolicy'], `${field}.restartPolicy`, RESTART_POLICIES),
    ...oneOf(spec['dnsPolicy'], `${field}.dnsPolicy`, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...validatePlacement(spec, field),
    ...validateLimits(spec, field),
  ];
}

const MAX_INT32 = 2 ** 31 - 1;

function validateLimits(spec: JsonObject, field: string): FieldError[] {
  const deadline = spec['activeDeadlineSeconds'];
  const hostname = stringAt(spec, 'hostname');
  const needsDns = spec['dnsPolicy'] === 'None' && spec['dnsConfig'] === undefined;
  return [
    ...(typeof deadline === 'number' && (deadline < 1 || deadline > MAX_INT32)
      ? [invalid(`${field}.activeDeadlineSeconds`, deadline, `must be between 1 and ${MAX_INT32}, inclusive`)]
      : []),
    ...(hostname === '' ? [] : dnsLabel(hostname).map((why) => invalid(`${field}.hostname`, hostname, why))),
    ...(needsDns ? [required(`${field}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None')] : []),
  ];
}

const MUTABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only ' +
  'additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What a pod may change once it is there. Its node is written by a binding, which is not judged by this. */
const CHANGEABLE = new Set([
  ...['activeDeadlineSeconds', 'tolerations', 'ephemeralContainers', 'containers', 'initContainers'],
]);

function fixedPart(spec: JsonObject): JsonObject {
  const fixed = Object.fromEntries(Object.entries(spec).filter(([key]) => !CHANGEABLE.has(key)));
  const plain = (key: string): JsonObject[] => objectsAt(spec, key).map(({ image: _image, ...container }) => container);
  return { ...fixed, containers: plain('containers'), initContainers: plain('initContainers') };
}

export const podRule: Rule = (object, old) => {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  const oldSpec = valueAt(old, 'spec');
  const errors = validatePodSpec(spec, 'spec');
  if (!isObject(oldSpec)) return errors;
  const counted = ['containers', 'initContainers'].filter(
    (key) => objectsAt(spec, key).length !== objectsAt(oldSpec, key).length,
  );
  if (counted.length > 0) {
    const moved = counted.map((key) => forbidden(`spec.${key}`, 'pod updates may not add or remove containers'));
    return [...errors, ...moved];
  }
  if (isUnchanged(fixedPart(spec), fixedPart(oldSpec))) return errors;
  return [...errors, forbidden('spec', `pod updates may not change fields other than ${MUTABLE}`)];
};
