import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { ResourceType } from '../../api/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

const FOLDER = new URL('../../../deploy/', import.meta.url);
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
};

/** The objects of a file in `deploy/`, as they are in another namespace. */
export function shipped(file: string, namespace: string): KubeObject[] {
  const documents = parseAllDocuments(readFileSync(new URL(file, FOLDER), 'utf8'));
  const objects = documents.map((document) => document.toJS() as KubeObject);
  return objects.map((object) => movedTo(namespace, object));
}

function movedTo(namespace: string, object: KubeObject): KubeObject {
  const { subjects, metadata } = object as KubeObject & { subjects?: { namespace?: string }[] };
  return {
    ...object,
    metadata: metadata.namespace === NAMESPACE ? { ...metadata, namespace } : metadata,
    ...(subjects === undefined ? {} : { subjects: subjects.map((subject) => ({ ...subject, namespace })) }),
  };
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
