import { describe, expect, it } from 'vitest';
import type { JsonObject, MergeType } from '../../base/index.ts';
import { applyStrategicPatch } from '../../base/index.ts';
import { builtinSchema } from '../../pocket/schema/index.ts';
import { strategicMerge } from './strategic-merge.ts';

const container = (name: string, image: string): JsonObject => ({
  name,
  image,
  ports: [{ containerPort: 80 }, { containerPort: 81 }],
  env: [{ name: 'A', value: '1' }],
  volumeMounts: [{ mountPath: '/a', name: 'v' }],
});
const podSpec: JsonObject = {
  containers: [container('a', 'x:1'), container('b', 'y:1')],
  initContainers: [container('i', 'z:1')],
  volumes: [{ name: 'v', emptyDir: {} }],
  imagePullSecrets: [{ name: 'p' }],
  tolerations: [{ key: 'k' }],
};
const podPatch: JsonObject = {
  containers: [
    { name: 'b', image: 'y:2', env: [{ name: 'B', value: '2' }], ports: [{ containerPort: 81, name: 'q' }] },
  ],
  initContainers: [{ name: 'i', $patch: 'delete' }],
  volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } }],
  imagePullSecrets: [{ name: 'q' }],
  tolerations: [{ key: 'only' }],
};
const template = (spec: JsonObject): JsonObject => ({ spec: { template: { metadata: { labels: { a: 'b' } }, spec } } });

describe('a strategic merge', () => {
  it.each([
    [['', 'v1', 'Pod'] as const, { spec: podSpec }, { spec: podPatch }],
    [['apps', 'v1', 'Deployment'] as const, template(podSpec), template(podPatch)],
    [['apps', 'v1', 'StatefulSet'] as const, template(podSpec), template(podPatch)],
    [['apps', 'v1', 'DaemonSet'] as const, template(podSpec), template(podPatch)],
    [['apps', 'v1', 'ReplicaSet'] as const, template(podSpec), template(podPatch)],
    [['batch', 'v1', 'Job'] as const, template(podSpec), template(podPatch)],
    [
      ['batch', 'v1', 'CronJob'] as const,
      { spec: { jobTemplate: template(podSpec) } },
      { spec: { jobTemplate: template(podPatch) } },
    ],
    [
      ['', 'v1', 'Service'] as const,
      { spec: { ports: [{ port: 1 }, { port: 2 }] } },
      { spec: { ports: [{ port: 2, name: 'x' }] } },
    ],
    [['', 'v1', 'ServiceAccount'] as const, { secrets: [{ name: 'a' }] }, { secrets: [{ name: 'b' }] }],
    [['', 'v1', 'ConfigMap'] as const, { data: { a: '1' } }, { data: { b: '2' }, metadata: { finalizers: ['x'] } }],
    [
      ['policy', 'v1', 'PodDisruptionBudget'] as const,
      { spec: { selector: { matchLabels: { a: '1' } } } },
      { spec: { selector: { matchLabels: { b: '2' } } } },
    ],
  ])('of %j is what the type of Kubernetes makes of it', ([group, version, kind], object, patch) => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const item = { apiVersion, kind, metadata: { name: 'n', finalizers: ['f'] }, ...object } as JsonObject;
    const merge: MergeType = builtinSchema({ group, version, kind })!.merge;
    const wanted = applyStrategicPatch(item, patch, merge);
    expect(strategicMerge(item, patch)).toEqual(wanted);
    expect(wanted).not.toEqual(item);
  });

  it('is refused for custom resources', () => {
    const item = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    expect(() => strategicMerge(item, {})).toThrow('got example.com/v1 Widget');
  });
});
