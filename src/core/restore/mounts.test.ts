import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import { claimsMountedBy, mayStartPods } from './index.ts';

const spec = (...volumes: JsonObject[]): JsonObject => ({ volumes });
const claim = (claimName: string): JsonObject => ({ name: 'v', persistentVolumeClaim: { claimName } });

it.each<[string, JsonObject, string[]]>([
  ['a pod', { metadata: { name: 'p' }, spec: spec(claim('a'), { name: 'tmp', ephemeral: {} }) }, ['a', 'p-tmp']],
  ['a deployment', { metadata: { name: 'd' }, spec: { template: { spec: spec(claim('a')) } } }, ['a']],
  ['a cron job', { spec: { jobTemplate: { spec: { template: { spec: spec(claim('a')) } } } } }, ['a']],
  [
    'a stateful set',
    { metadata: { name: 's' }, spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } },
    ['data-s-0', 'data-s-12'],
  ],
  ['nonsense', { spec: { volumes: 'all', template: 7 } }, []],
])('%s mounts its claims and no others', (_, object, mounted) => {
  const mounts = claimsMountedBy(object);
  expect(mounted.filter(mounts)).toEqual(mounted);
  expect(['b', 'data-s-x', 'data-s-', 'd-tmp', ''].filter(mounts)).toEqual([]);
});

it('types whose controllers nobody knows may start pods', () => {
  expect(['pods', 'deployments.apps', 'databases.example.com'].every(mayStartPods)).toBe(true);
  expect(['persistentvolumeclaims', 'secrets', 'namespaces'].some(mayStartPods)).toBe(false);
});
