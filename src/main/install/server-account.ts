import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { SECRET, type ResourceType } from '../../api/index.ts';
import { AppError, textAt } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { systemClock } from '../system-clock.ts';
import { apply, remove } from './apply.ts';

const FOLDER = new URL('../../../deploy/', import.meta.url);
/** The one that the files are written for. */
const NAMESPACE = 'velero';
const TOKEN_SECRET = 'headway-token';
const TOKEN_WITHIN_MS = 30_000;
const LOOK_MS = 100;

const PLURALS: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  Secret: 'secrets',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
};

/** The service account of a server outside the cluster, with all its rights: deploy/server.yaml. */
export async function applyServerAccount(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of shipped('server.yaml', namespace)) await apply(kube, typeOf(object), object, signal);
}

/** Also that of people, which they apply themselves. */
export async function removeAccounts(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of ['server.yaml', 'operator.yaml'].flatMap((file) => shipped(file, namespace))) {
    const { name, namespace: at } = object.metadata;
    await remove(kube, { type: typeOf(object), name, ...(at === undefined ? {} : { namespace: at }) }, signal);
  }
}

/** The account's token, which the cluster writes into the Secret a moment after it was created. */
export async function serverToken(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<string> {
  const startedAt = systemClock.now();
  while (systemClock.now() - startedAt < TOKEN_WITHIN_MS) {
    const secret = await kube.get({ type: SECRET, namespace, name: TOKEN_SECRET }, { signal });
    const token = textAt(secret, 'data', 'token');
    if (token !== undefined && token !== '') return Buffer.from(token, 'base64').toString();
    await systemClock.sleep(LOOK_MS, signal);
  }
  const seconds = String(TOKEN_WITHIN_MS / 1000);
  throw new AppError('timeout', `the cluster wrote no token into Secret ${namespace}/${TOKEN_SECRET} in ${seconds} s`, {
    details: {
      hint:
        'A pocket cluster writes no token into Secrets; use its own kubeconfig: headway pocket kubeconfig NAME\n' +
        `Elsewhere, make a token by hand: kubectl -n ${namespace} create token headway`,
    },
  });
}

function shipped(file: string, namespace: string): KubeObject[] {
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

function typeOf({ apiVersion, kind, metadata }: KubeObject): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind, plural: PLURALS[kind] ?? '', namespaced: metadata.namespace !== undefined };
}
