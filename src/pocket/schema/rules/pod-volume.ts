import { isObject, objectsAt, type JsonObject } from '../../../base/index.ts';
import { forbidden, required, type FieldError } from '../field-error.ts';
import { relativePath } from './container.ts';
import { stringAt } from './rule.ts';

/** In the order of the real server, which takes the first for the one that is meant. */
const SOURCES = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi'],
  ...['glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc'],
  ...['flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk'],
  ...['storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image'],
];

/** The one field without which the source means nothing. */
const NEEDED: Readonly<Record<string, string>> = {
  configMap: 'name',
  secret: 'secretName',
  persistentVolumeClaim: 'claimName',
  hostPath: 'path',
};

function validateItems(source: JsonObject, field: string): FieldError[] {
  return objectsAt(source, 'items').flatMap((item, index) => {
    const path = `${field}.items[${index}]`;
    return [
      ...(stringAt(item, 'key') === '' ? [required(`${path}.key`)] : []),
      ...(stringAt(item, 'path') === '' ? [required(`${path}.path`)] : []),
      ...relativePath(stringAt(item, 'path'), `${path}.path`),
    ];
  });
}

/** Where a volume of a pod comes from: exactly one source, and what that cannot be without. */
export function validateVolume(volume: JsonObject, field: string): FieldError[] {
  const sources = SOURCES.filter((key) => isObject(volume[key]));
  return sources.flatMap((key, index) => {
    if (index > 0) return [forbidden(`${field}.${key}`, 'may not specify more than 1 volume type')];
    const source = volume[key] as JsonObject;
    const needed = NEEDED[key];
    return [
      ...(needed !== undefined && stringAt(source, needed) === '' ? [required(`${field}.${key}.${needed}`)] : []),
      ...(key === 'configMap' || key === 'secret' ? validateItems(source, `${field}.${key}`) : []),
    ];
  });
}
