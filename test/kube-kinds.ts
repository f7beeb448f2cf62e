import { randomBytes } from 'node:crypto';
import type { ResourceType } from '../src/api/index.ts';
import type { JsonObject } from '../src/base/index.ts';
import type { Kube, KubeObject } from '../src/edge/kube/index.ts';

function builtin(apiVersion: string, kind: string, plural: string, namespaced = true): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind, plural, namespaced };
}

export const NAMESPACES = builtin('v1', 'Namespace', 'namespaces', false);
export const CONFIG_MAPS = builtin('v1', 'ConfigMap', 'configmaps');
export const SECRETS = builtin('v1', 'Secret', 'secrets');
export const SERVICE_ACCOUNTS = builtin('v1', 'ServiceAccount', 'serviceaccounts');
export const DEPLOYMENTS = builtin('apps/v1', 'Deployment', 'deployments');
export const CLUSTER_ROLES = builtin('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles', false);
export const CLUSTER_ROLE_BINDINGS = builtin(
  'rbac.authorization.k8s.io/v1',
  'ClusterRoleBinding',
  'clusterrolebindings',
  false,
);
export const CRDS = builtin('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'customresourcedefinitions', false);
export const REVIEWS = builtin('authentication.k8s.io/v1', 'SelfSubjectReview', 'selfsubjectreviews', false);
export const API_SERVICES = builtin('apiregistration.k8s.io/v1', 'APIService', 'apiservices', false);

/** An object of a kind; whatever else it has goes beside its metadata. */
export function objectOf(type: ResourceType, name: string, fields: JsonObject = {}): KubeObject {
  const { metadata, ...rest } = fields as { metadata?: JsonObject };
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  return { apiVersion, kind: type.kind, metadata: { ...metadata, name }, ...rest };
}

/** A namespace that only one test uses. */
export async function newNamespace(kube: Kube): Promise<string> {
  const name = `client-${randomBytes(4).toString('hex')}`;
  await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
  return name;
}

/** A kind of nobody's, with a status subresource and room for undeclared fields. */
export const CARTS: ResourceType = {
  group: 'client.example.com',
  version: 'v1',
  kind: 'Cart',
  plural: 'carts',
  namespaced: true,
};

export const cartCrd = objectOf(CRDS, `${CARTS.plural}.${CARTS.group}`, {
  spec: {
    group: CARTS.group,
    scope: 'Namespaced',
    names: { plural: CARTS.plural, singular: 'cart', kind: CARTS.kind, shortNames: ['ca'] },
    versions: [
      {
        name: CARTS.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: { limit: { type: 'integer', format: 'int64' } },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
});
