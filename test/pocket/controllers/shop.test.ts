import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { JsonObject } from '../../../src/base/index.ts';
import {
  CLAIMS,
  CRON_JOBS,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ENDPOINT_SLICES,
  ENDPOINTS,
  JOBS,
  LEASES,
  NAMESPACES,
  NODES,
  PODS,
  SERVICES,
  STATEFUL_SETS,
  VOLUMES,
} from '../../../src/pocket/controllers/kinds/index.ts';
import { eventually } from '../../eventually.ts';
import { Cluster } from './cluster.ts';

type Manifest = JsonObject & { apiVersion: string; kind: string; metadata: JsonObject };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start();
  const text = readFileSync(join(import.meta.dirname, '../../fixtures/shop.yaml'), 'utf8');
  // YAML numbers beyond 2^53 are kept as they are.
  for (const document of parseAllDocuments(text, { intAsBigInt: true })) {
    const manifest = plain(document.toJS() as Manifest) as Manifest;
    await eventually(() => cluster.create(manifest));
  }
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Big integers only where they must be. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

it('the sample application comes up', async () => {
  const { client } = cluster;
  await eventually(() => {
    expect(client.get(DEPLOYMENTS, 'shop', 'web')?.status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
    expect(client.get(STATEFUL_SETS, 'shop', 'db')?.status).toMatchObject({ readyReplicas: 1 });
    expect(client.get(JOBS, 'shop', 'seed')?.status).toMatchObject({ succeeded: 1 });
    expect(client.get(CLAIMS, 'shop', 'data')?.status?.phase).toBe('Bound');
    expect(client.get(VOLUMES, '', 'shop-data')?.status?.phase).toBe('Bound');
    expect(client.get(DISRUPTION_BUDGETS, 'shop', 'web')?.status).toMatchObject({
      disruptionsAllowed: 1,
      currentHealthy: 2,
    });
    expect(client.get(ENDPOINTS, 'shop', 'web')?.subsets?.[0]?.addresses).toHaveLength(2);
    expect(client.get(ENDPOINTS, 'shop', 'db')?.subsets?.[0]?.addresses).toMatchObject([{ hostname: 'db-0' }]);
  });
  expect(client.list(ENDPOINT_SLICES, 'shop').map((slice) => slice.endpoints?.length)).toEqual([1, 2]);
  expect(client.get(CRON_JOBS, 'shop', 'nightly')?.status?.active ?? []).toEqual([]);
  const ips = client.list(PODS, 'shop').map((pod) => pod.status?.podIP);
  expect(new Set(ips).size).toBe(4);
});

it('the endpoints follow the pods and go with the service', async () => {
  const { client } = cluster;
  const [first] = client.list(PODS, 'shop').filter((pod) => pod.metadata.labels?.['app'] === 'shop');
  const ip = first?.status?.podIP ?? '';
  await client.delete(PODS, 'shop', first?.metadata.name ?? '');
  await eventually(() => {
    const addresses = client.get(ENDPOINTS, 'shop', 'web')?.subsets?.[0]?.addresses ?? [];
    expect(addresses).toHaveLength(2);
    expect(addresses.map((address) => address['ip'])).not.toContain(ip);
  });
  await client.delete(SERVICES, 'shop', 'web', { propagation: 'Background' });
  await eventually(() => {
    expect(client.get(ENDPOINTS, 'shop', 'web')).toBeUndefined();
    expect(client.list(ENDPOINT_SLICES, 'shop')).toHaveLength(1);
  });
});

it('the node is ready and shows that it lives', async () => {
  const { client } = cluster;
  const conditions = client.get(NODES, '', 'pocket')?.status?.['conditions'];
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  expect(client.get(LEASES, 'kube-node-lease', 'pocket')?.spec?.renewTime).toBeDefined();
  await client.delete(NODES, '', 'pocket');
  await eventually(() => {
    expect(client.get(NODES, '', 'pocket')?.status?.['conditions']).toContainEqual(
      expect.objectContaining({ type: 'Ready' }),
    );
  });
});

it('nothing is left when its namespace is deleted', async () => {
  const { client } = cluster;
  await client.delete(NAMESPACES, '', 'shop');
  await eventually(() => {
    expect(client.get(NAMESPACES, '', 'shop')).toBeUndefined();
  });
  const left = client.types().flatMap((type) => (type.namespaced ? client.list(type, 'shop') : []));
  expect(left).toEqual([]);
});
