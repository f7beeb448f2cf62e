import { isEqual, isObject, objectAt, objectsAt, without, type Json, type JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';

export interface Comparison {
  compared: number;
  /** `namespace/kind/name: why`, for the first few. */
  differences: string[];
}

interface Options {
  kube: Kube;
  /** Where a namespace's copy is. */
  copyOf: (namespace: string) => string;
  signal: AbortSignal;
  onCompared: (count: number) => void;
}

const SHOWN = 20;
/** Given by the server to each object anew. */
const OWN_META = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'namespace',
  'selfLink',
];
/** Annotations that controllers of the cluster write. */
const OF_CLUSTER = /(^|\.)kubernetes\.io\//;
const OWN_SPEC = ['clusterIP', 'clusterIPs', 'healthCheckNodePort', 'volumeName'];

/** Every object of these types that nobody else makes, against its copy in the other namespace. */
export async function compareCopies(types: readonly ResourceType[], options: Options): Promise<Comparison> {
  const result: Comparison = { compared: 0, differences: [] };
  for (const type of types) {
    const all = new Map<string, KubeObject>();
    for await (const { items, restarted } of options.kube.list({ type }, { signal: options.signal })) {
      if (restarted) all.clear();
      for (const item of items) all.set(`${item.metadata.namespace ?? ''}/${item.metadata.name}`, item);
    }
    for (const object of all.values()) compareOne(type, object, all, { result, options });
    options.onCompared(result.compared);
  }
  return result;
}

function compareOne(
  type: ResourceType,
  object: KubeObject,
  all: ReadonlyMap<string, KubeObject>,
  { result, options }: { result: Comparison; options: Options },
): void {
  const { namespace = '', name } = object.metadata;
  const target = options.copyOf(namespace);
  if (target === namespace || objectsAt(object.metadata, 'ownerReferences').length > 0) return;
  result.compared += 1;
  const copy = all.get(`${target}/${name}`);
  const problem =
    copy === undefined
      ? `is not in ${target}`
      : isEqual(essence(object, options.copyOf), essence(copy, options.copyOf))
        ? undefined
        : `differs from the one in ${target}`;
  if (problem !== undefined && result.differences.length < SHOWN)
    result.differences.push(`${namespace}/${type.plural}/${name} ${problem}`);
}

/** What a user put there: without what the server and the restore add to each object. */
function essence(object: KubeObject, copyOf: (namespace: string) => string): Json {
  const metadata = without(object.metadata, ...OWN_META, 'annotations', 'labels');
  const labels = Object.entries(objectAt(object.metadata, 'labels')).filter(([key]) => !key.startsWith('velero.io/'));
  const annotations = Object.entries(objectAt(object.metadata, 'annotations')).filter(([key]) => !OF_CLUSTER.test(key));
  const body = without(object, 'status', 'metadata', 'spec', 'secrets');
  const subjects = objectsAt(object, 'subjects').map((subject) =>
    typeof subject['namespace'] === 'string' ? { ...subject, namespace: copyOf(subject['namespace']) } : subject,
  );
  return {
    ...body,
    metadata: { ...metadata, labels: Object.fromEntries(labels), annotations: Object.fromEntries(annotations) },
    ...(isObject(object['spec']) ? { spec: specOf(object['spec']) } : {}),
    ...(subjects.length > 0 ? { subjects } : {}),
  };
}

function specOf(spec: JsonObject): JsonObject {
  const rest = without(spec, ...OWN_SPEC, 'ports');
  const ports = objectsAt(spec, 'ports').map((port) => without(port, 'nodePort'));
  return ports.length > 0 ? { ...rest, ports } : rest;
}
