import { isObject, objectsAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { duplicate, forbidden, invalid, notFound, required, type FieldError } from '../field-error.ts';
import { dnsLabel } from './names.ts';
import { isUnchanged, oneOf, portNumber, stringAt, type Rule } from './rule.ts';

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

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

function validatePorts(container: JsonObject, field: string): FieldError[] {
  return objectsAt(container, 'ports').flatMap((port, index) => {
    const path = `${field}.ports[${index}]`;
    const number = port['containerPort'];
    const missing = number === undefined || number === 0;
    return [
      ...(missing ? [required(`${path}.containerPort`)] : portNumber(number, `${path}.containerPort`)),
      ...oneOf(port['protocol'], `${path}.protocol`, PROTOCOLS),
    ];
  });
}

function validateContainer(container: JsonObject, field: string, volumes: ReadonlySet<string>): FieldError[] {
  const image = stringAt(container, 'image');
  const mounts = objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const path = `${field}.volumeMounts[${index}]`;
    const name = stringAt(mount, 'name');
    return [
      ...(name === '' ? [required(`${path}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFound(`${path}.name`, name)]),
      ...(stringAt(mount, 'mountPath') === '' ? [required(`${path}.mountPath`)] : []),
    ];
  });
  const env = objectsAt(container, 'env').flatMap((entry, index) =>
    stringAt(entry, 'name') === '' ? [required(`${field}.env[${index}].name`)] : [],
  );
  return [
    ...(image === '' ? [required(`${field}.image`)] : []),
    ...(image !== image.trim()
      ? [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')]
      : []),
    ...validatePorts(container, field),
    ...env,
    ...mounts,
    ...oneOf(container['imagePullPolicy'], `${field}.imagePullPolicy`, PULL_POLICIES),
  ];
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
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...namesOf(containers, `${field}.containers`, taken),
    ...each(containers, 'containers'),
    ...namesOf(initContainers, `${field}.initContainers`, taken),
    ...each(initContainers, 'initContainers'),
    ...oneOf(spec['restartPolicy'], `${field}.restartPolicy`, RESTART_POLICIES),
    ...oneOf(spec['dnsPolicy'], `${field}.dnsPolicy`, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
  ];
}

const MUTABLE =
  '`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only ' +
  'additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** What a running pod may change; the node is written once, when the pod is bound. */
const CHANGEABLE = new Set([
  ...['activeDeadlineSeconds', 'tolerations', 'terminationGracePeriodSeconds', 'nodeName', 'ephemeralContainers'],
  ...['containers', 'initContainers'],
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
  if (!isObject(oldSpec) || isUnchanged(fixedPart(spec), fixedPart(oldSpec))) return errors;
  return [...errors, forbidden('spec', `pod updates may not change fields other than ${MUTABLE}`)];
};
