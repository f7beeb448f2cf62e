import { isObject, stringifyJson, type Json, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';

/** What controllers make or change by themselves, in either cluster and at any time. */
const MADE = ['Endpoints', 'EndpointSlice', 'Event', 'Pod', 'ReplicaSet', 'ControllerRevision', 'PodMetrics'];
const GIVEN = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'selfLink'];
const OF_VELERO = /^velero\.io\/(backup|restore)-(name|uid)$/;
const BY_CONTROLLERS =
  /controller-uid$|deployment\.kubernetes\.io\/revision|pv\.kubernetes\.io|last-applied-configuration/;
const OF_CLUSTER = ['clusterIP', 'clusterIPs', 'nodePort', 'uid'];

/** Every object of a namespace, as text by kind and name, without what no restore can or should keep. */
export async function namespaceObjects(kube: KubeClient, namespace: string): Promise<Map<string, string>> {
  const { resources } = await kube.discover();
  const kinds = resources.filter(
    ({ namespaced, preferred, verbs, kind }) =>
      namespaced && preferred && verbs.includes('list') && verbs.includes('create') && !MADE.includes(kind),
  );
  const found = new Map<string, string>();
  for (const type of kinds) {
    for await (const { items } of kube.list({ type, namespace })) {
      for (const object of items) {
        if (isOfEveryNamespace(type.kind, object.metadata.name)) continue;
        found.set(`${type.kind} ${object.metadata.name}`, stringifyJson(essence(object, namespace)));
      }
    }
  }
  return found;
}

/** The text of an object in which only what its user or its backup gave is left. */
export function essence(object: JsonObject, namespace: string): JsonObject {
  const { status: _status, metadata, ...rest } = object;
  const kept = Object.entries(metadata as JsonObject).filter(([field]) => !GIVEN.includes(field));
  return sorted({ ...rest, metadata: Object.fromEntries(kept) }, namespace) as JsonObject;
}

function isOfEveryNamespace(kind: string, name: string): boolean {
  return (kind === 'ConfigMap' && name === 'kube-root-ca.crt') || (kind === 'ServiceAccount' && name === 'default');
}

function sorted(value: Json, namespace: string): Json {
  if (Array.isArray(value)) return value.map((item) => sorted(item, namespace));
  if (value === namespace) return 'NAMESPACE';
  if (!isObject(value)) return value;
  const fields = Object.entries(value)
    .filter(([key]) => !OF_VELERO.test(key) && !BY_CONTROLLERS.test(key) && !OF_CLUSTER.includes(key))
    .map(([key, inside]) => [key, sorted(inside!, namespace)] as const)
    // An empty map is what is left of one whose keys were all left out.
    .filter(([key, inside]) => !(['labels', 'annotations'].includes(key) && isEmpty(inside)))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields);
}

function isEmpty(value: Json): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
