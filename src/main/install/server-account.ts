import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { SECRET, type ResourceType } from '../../api/index.ts';
import { AppError, isAppError, isObject, textAt, type Json } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { systemClock } from '../system-clock.ts';
import { apply, remove } from './apply.ts';

const FOLDER = new URL('../../../deploy/', import.meta.url);
/** The one that the files are written for. */
const NAMESPACE = 'velero';
const FLOW_CONTROL = 'flow-control.yaml';
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
  FlowSchema: 'flowschemas',
  PriorityLevelConfiguration: 'prioritylevelconfigurations',
};

/** The service account of a server outside the cluster, with all its rights: deploy/server.yaml. */
export async function applyServerAccount(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of shipped('server.yaml', namespace)) await apply(kube, typeOf(object), object, signal);
}

/**
 * The share of the API server that the account gets: deploy/flow-control.yaml. False where the cluster has no such
 * shares.
 */
export async function applyFlowControl(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<boolean> {
  try {
    for (const object of shipped(FLOW_CONTROL, namespace)) await apply(kube, typeOf(object), object, signal);
    return true;
  } catch (error) {
    if (isAppError(error, 'notFound')) return false;
    throw error;
  }
}

/** Also that of people, which they apply themselves. */
export async function removeAccounts(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  for (const object of ['server.yaml', 'operator.yaml', FLOW_CONTROL].flatMap((file) => shipped(file, namespace))) {
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

function typeOf({ apiVersion, kind, metadata }: KubeObject): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind, plural: PLURALS[kind] ?? '', namespaced: metadata.namespace !== undefined };
}
