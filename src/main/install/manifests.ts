import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ResourceType } from '../../api/index.ts';
import { isObject, type Json } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { ROOT } from '../root.ts';

const FOLDER = join(ROOT, 'deploy');
/** The one that the files are written for. */
const NAMESPACE = 'velero';

const PLURALS: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  Secret: 'secrets',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Deployment: 'deployments',
  Service: 'services',
  FlowSchema: 'flowschemas',
  PriorityLevelConfiguration: 'prioritylevelconfigurations',
};

/** The objects of a file in `deploy/`, as they are in another namespace. */
export function shipped(file: string, namespace: string): KubeObject[] {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'));
  return documents.map((document) => movedTo(namespace, document.toJS() as Json) as KubeObject);
}

/** Wherever a field names it: in metadata, in the subjects of bindings, in the rules of flow schemas. */
function movedTo(namespace: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((member) => movedTo(namespace, member));
  if (!isObject(value)) return value;
  const moved = (name: Json): Json => (name === NAMESPACE ? namespace : name);
  const entries = Object.entries(value).map(([key, member = null]): [string, Json] => {
    if (key === 'namespace') return [key, moved(member)];
    if (key === 'namespaces' && Array.isArray(member)) return [key, member.map(moved)];
    return [key, movedTo(namespace, member)];
  });
  return Object.fromEntries(entries);
}

export function typeOf({ apiVersion, kind, metadata }: KubeObject): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind, plural: PLURALS[kind] ?? '', namespaced: metadata.namespace !== undefined };
}

/** Where an object of a file is, or is to be. */
export function placeOf(object: KubeObject): { type: ResourceType; name: string; namespace?: string } {
  const { name, namespace } = object.metadata;
  return { type: typeOf(object), name, ...(namespace === undefined ? {} : { namespace }) };
}
