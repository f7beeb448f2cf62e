import type { ResourceType } from '../../src/api/index.ts';
import { findKind, type KubeClient, type KubeObject } from '../../src/edge/kube/index.ts';

export const CONFIG_MAP: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
export const NAMESPACE_TYPE: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

export async function listAll(
  kube: KubeClient,
  apiVersion: string,
  kind: string,
  namespace?: string,
): Promise<KubeObject[]> {
  const type = findKind(await kube.discover(), apiVersion, kind);
  if (type === undefined) throw new Error(`the cluster does not serve ${apiVersion} ${kind}`);
  const objects: KubeObject[] = [];
  for await (const page of kube.list({ type, ...(namespace === undefined ? {} : { namespace }) })) {
    objects.push(...page.items);
  }
  return objects;
}
