import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import type { JsonObject } from '../../base/index.ts';
import { compareCopies } from './compare.ts';

const SERVICES = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

async function compare(...objects: { namespace: string; name: string; body: JsonObject }[]) {
  const kube = new ScriptedCluster(new FakeClock());
  for (const { namespace, name, body } of objects) {
    const { metadata = {}, ...rest } = body as { metadata?: JsonObject };
    await kube.create(
      { type: SERVICES, namespace },
      { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, ...metadata }, ...rest },
    );
  }
  return await compareCopies([SERVICES], {
    kube,
    copyOf: (namespace) => (namespace === 'shop' ? 'shop-copy' : namespace),
    signal: AbortSignal.timeout(10_000),
    onCompared: () => undefined,
  });
}

describe('comparing copies', () => {
  it('sees no difference in what the server and the restore give to each object', async () => {
    const labels = { app: 'a' };
    expect(
      await compare(
        {
          namespace: 'shop',
          name: 'web',
          body: { metadata: { labels }, spec: { clusterIP: '10.0.0.1', ports: [{ port: 80, nodePort: 30_001 }] } },
        },
        {
          namespace: 'shop-copy',
          name: 'web',
          body: {
            metadata: { labels: { ...labels, 'velero.io/restore-name': 'r' } },
            spec: { clusterIP: '10.0.0.2', ports: [{ port: 80, nodePort: 30_002 }] },
          },
        },
        { namespace: 'elsewhere', name: 'web', body: {} },
      ),
    ).toEqual({ compared: 1, differences: [] });
  });

  it('sees what is missing, and what was changed', async () => {
    const { compared, differences } = await compare(
      { namespace: 'shop', name: 'lost', body: {} },
      { namespace: 'shop', name: 'web', body: { spec: { ports: [{ port: 80 }] } } },
      { namespace: 'shop-copy', name: 'web', body: { spec: { ports: [{ port: 81 }] } } },
    );
    expect(compared).toBe(2);
    expect(differences).toEqual([
      'shop/services/lost is not in shop-copy',
      'shop/services/web differs from the one in shop-copy',
    ]);
  });

  it('leaves out what a controller makes', async () => {
    const metadata = { ownerReferences: [{ kind: 'Thing', name: 'x' }] };
    expect(await compare({ namespace: 'shop', name: 'made', body: { metadata } })).toMatchObject({ compared: 0 });
  });
});
