import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programPath } from '../../bed/cache.ts';
import { needs, run } from '../../bed/index.ts';
import { partNamed } from '../../bed/parts.ts';
import { PocketFixture } from '../pocket-fixture.ts';

const need = needs('kubectl');
const SHOP = join(import.meta.dirname, '../../fixtures/shop.yaml');

describe.skipIf(need.missing)(need.title('kubectl on a cluster whose controllers run'), () => {
  let fixture: PocketFixture;
  const kubectl = (...args: string[]): Promise<string> =>
    run(programPath(partNamed('kubectl')), { args, env: { KUBECONFIG: fixture.pocket.kubeconfig } });
  const shop = (...args: string[]): Promise<string> => kubectl('-n', 'shop', ...args);

  beforeAll(async () => {
    fixture = await PocketFixture.start();
    // The kind of its last object is only known to a kubectl that starts when the definition is established.
    await kubectl('apply', '-f', SHOP).catch(() => undefined);
    await kubectl('wait', '--for=condition=Established', 'crd/carts.shop.example.com', '--timeout=10s');
    await kubectl('apply', '-f', SHOP);
  }, 60_000);
  afterAll(() => fixture[Symbol.asyncDispose]());

  it('waits until the sample application is there', async () => {
    expect(await shop('rollout', 'status', 'deployment/web', '--timeout=10s')).toContain('successfully rolled out');
    expect(await shop('rollout', 'status', 'statefulset/db', '--timeout=10s')).toContain('roll out complete');
    await shop('wait', '--for=condition=Complete', 'job/seed', '--timeout=10s');
    await shop('wait', '--for=jsonpath={.status.phase}=Bound', 'pvc/data', '--timeout=10s');
    expect(await shop('get', 'pods', '--no-headers')).toMatch(/^db-0 +1\/1 +Running +0 /m);
    expect(await shop('get', 'cart', 'big', '-o', 'jsonpath={.spec.limit}')).toBe('9007199254740993');
    expect(await kubectl('get', 'nodes', '--no-headers')).toMatch(/^pocket +Ready +/);
  }, 60_000);

  it('rolls a deployment out, back and anew', async () => {
    await shop('set', 'image', 'deployment/web', 'web=docker.io/bed/busybox:2');
    await shop('rollout', 'status', 'deployment/web', '--timeout=10s');
    expect(await shop('rollout', 'history', 'deployment/web')).toMatch(/^1 .*\n2 /m);
    await shop('rollout', 'undo', 'deployment/web');
    await shop('rollout', 'status', 'deployment/web', '--timeout=10s');
    const image = 'jsonpath={.items[*].spec.containers[*].image}';
    expect(await shop('get', 'pods', '-l', 'app=shop', '-o', image)).toBe(
      'docker.io/bed/busybox:1 docker.io/bed/busybox:1',
    );
    expect(await shop('rollout', 'history', 'deployment/web')).toMatch(/^2 .*\n3 /m);
    await shop('rollout', 'restart', 'deployment/web', 'statefulset/db');
    await shop('rollout', 'status', 'deployment/web', '--timeout=10s');
    await shop('rollout', 'status', 'statefulset/db', '--timeout=10s');
    await shop('scale', 'deployment/web', '--replicas=4');
    await shop('wait', '--for=jsonpath={.status.availableReplicas}=4', 'deployment/web', '--timeout=10s');
  }, 60_000);

  it('deletes with and without what belongs to it', async () => {
    await shop('delete', 'deployment/web', '--cascade=orphan', '--timeout=10s');
    expect((await shop('get', 'pods', '-l', 'app=shop', '-o', 'name')).trim().split('\n')).toHaveLength(4);
    await shop('delete', 'replicasets', '--all', '--cascade=foreground', '--timeout=10s');
    expect(await shop('get', 'pods', '-l', 'app=shop', '-o', 'name')).toBe('');
    await kubectl('delete', 'namespace', 'shop', '--timeout=20s');
    expect(await kubectl('get', 'pv', '--no-headers')).toMatch(/^shop-data .* Released /);
  }, 60_000);
});
