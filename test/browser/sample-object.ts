import type { KubeObject } from '../../src/api/meta/kube-object.ts';
import { apiVersionOf } from '../../src/api/meta/resource-type.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { adapterFor, formatOperationId } from '../../src/core/operations/index.ts';
import { ago, CLUSTER } from './sample-operations.ts';

const PLACES = { velero: 'velero', migration: 'openshift-migration', all: 'shop' };

/** One for all of them: the page lists the newest first, and objects of one age must not change places at a new second. */
const CREATED_BEFORE = Date.now();

interface Parts {
  spec?: JsonObject;
  status?: JsonObject;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  /** Seconds since it was created. */
  age?: number;
}

/** An object of any kind as a cluster has it. */
export function object(kind: string, name: string, { spec = {}, status = {}, age = 300, ...parts }: Parts): KubeObject {
  const { type, scope } = adapterFor(kind);
  const metadata = {
    name,
    namespace: PLACES[scope],
    uid: `uid-${kind}-${name}`,
    creationTimestamp: new Date(CREATED_BEFORE - age * 1000).toISOString(),
    labels: parts.labels ?? {},
    annotations: parts.annotations ?? {},
  };
  return { apiVersion: apiVersionOf(type), kind, metadata, spec, status };
}

export function idOf(kind: string, name: string, cluster = CLUSTER): string {
  return formatOperationId({ cluster, kind, namespace: PLACES[adapterFor(kind).scope], name });
}

export const condition = (type: string, age: number, more: JsonObject = {}): JsonObject => ({
  type,
  status: 'True',
  category: 'Advisory',
  lastTransitionTime: ago(age),
  ...more,
});
