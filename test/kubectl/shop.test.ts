import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { tableOf } from './table.ts';
import { openTerminal, TEST_MS } from './terminal.ts';

const need = needs('kubectl');
const SHOP = join(import.meta.dirname, '../fixtures/shop.yaml');

/** `kubectl describe`: an object and what stands in its description. */
const DESCRIBED: readonly [string, ...RegExp[]][] = [
  ['ns/shop', /^Status: +Active$/m, /^Annotations: +owner: shop@example.com$/m, /^No resource quota\.$/m],
  [
    'deploy/web',
    /^Replicas: +2 desired \| 2 updated \| 2 total \| 2 available \| 0 unavailable$/m,
    /^NewReplicaSet: +web-\w+ \(2\/2 /m,
  ],
  ['pod/db-0', /^Node: +pocket\//m, /^Controlled By: +StatefulSet\/db$/m, /^ +State: +Running$/m, /^ +Ready +True *$/m],
  ['sts/db', /^Pods Status: +1 Running \/ 0 Waiting/m],
  ['svc/web', /^Type: +NodePort$/m, /^Endpoints: +10\.244\.\d+\.\d+:8080,10\.244\.\d+\.\d+:8080$/m],
  ['svc/db', /^IP: +None$/m, /^Endpoints: +10\.244\.\d+\.\d+:5432$/m],
  ['pvc/data', /^Status: +Bound$/m, /^Volume: +shop-data$/m, /^Used By: +web-/m],
  ['pv/shop-data', /^Claim: +shop\/data$/m, /^ +Path: +\/var\/tmp\/shop-data$/m],
  ['job/seed', /^Pods Statuses: +0 Active \(0 Ready\) \/ 1 Succeeded \/ 0 Failed$/m],
  ['cj/nightly', /^Schedule: +0 3 \* \* \*$/m, /^Last Schedule Time: +<unset>$/m],
  ['cm/settings', /^grüße, 世界 ✓$/m, /^blob: 6 bytes$/m],
  ['secret/login', /^password: +9 bytes$/m],
  ['ing/web', /^ +\/ +web:80 \(10\.244\.\d+\.\d+:8080,/m],
  ['netpol/web', /^ +To Port: 8080\/TCP$/m],
  ['pdb/web', /^ +Allowed disruptions: +1$/m],
  ['hpa/web', /^Max replicas: +5$/m],
  ['role/shop-config', /^ +configmaps +\[\] +\[\] +\[get\]$/m],
  ['rolebinding/shop-config', /^ +ServiceAccount +shop-runner +shop$/m],
  ['sa/shop-runner', /^Name: +shop-runner$/m],
  ['cart/big', /^Kind: +Cart$/m, /^ +Limit: +9007199254740993$/m],
  ['crd/carts.shop.example.com', /^ +Kind: +Cart$/m, /^ +Type: +Established$/m],
];

describe.skipIf(need.missing)(need.title('the sample application'), { timeout: TEST_MS }, () => {
  const { kubectl, refused } = openTerminal();

  beforeAll(async () => {
    // As on a real cluster, kubectl finds the custom kind only once its definition is there.
    expect((await refused`apply -f ${SHOP}`).stderr).toContain('ensure CRDs are installed first');
    expect(await kubectl`apply -f ${SHOP}`).toContain('cart.shop.example.com/big created\n');
    await kubectl`rollout status deploy/web -n shop --timeout=20s`;
    await kubectl`rollout status sts/db -n shop --timeout=20s`;
    await kubectl`wait job/seed -n shop --for=condition=Complete --timeout=20s`;
  });

  it('comes up', async () => {
    const pods = tableOf(await kubectl`get pods -n shop --sort-by=.metadata.name`);
    expect(pods.map(({ NAME = '', READY, STATUS }) => [NAME.replace(/-.*/, ''), READY, STATUS])).toEqual([
      ['db', '1/1', 'Running'],
      ['seed', '0/1', 'Completed'],
      ['web', '1/1', 'Running'],
      ['web', '1/1', 'Running'],
    ]);
    expect(tableOf(await kubectl`get pvc -n shop`)).toMatchObject([
      { NAME: 'data', STATUS: 'Bound', VOLUME: 'shop-data', CAPACITY: '1Gi', 'ACCESS MODES': 'RWO' },
    ]);
    expect(tableOf(await kubectl`get pv`)).toMatchObject([
      { NAME: 'shop-data', STATUS: 'Bound', CLAIM: 'shop/data', 'RECLAIM POLICY': 'Retain' },
    ]);
    expect(await kubectl`get cm -n shop -o name`).toContain('configmap/kube-root-ca.crt\n');
    expect(await kubectl`get sa -n shop -o name`).toBe('serviceaccount/default\nserviceaccount/shop-runner\n');
    expect(await kubectl`get endpointslices -n shop`).toMatch(/^web-\w+ +IPv4 +8080 +10\.244\./m);
  });

  it('is unchanged when it is applied again', async () => {
    const lines = (await kubectl`apply -f ${SHOP}`).trimEnd().split('\n');
    // The same three as on a real cluster: stringData, and two kinds that are replaced rather than merged.
    expect(lines.filter((line) => !line.endsWith(' unchanged'))).toEqual([
      'secret/login configured',
      'networkpolicy.networking.k8s.io/web configured',
      'poddisruptionbudget.policy/web configured',
    ]);
    expect(await kubectl`diff -f ${SHOP}`).toBe('');
  });

  it.concurrent.each(DESCRIBED)('describes %s', async (object, ...expected) => {
    const text = await kubectl`describe ${object} -n shop`;
    for (const pattern of expected) expect(text).toMatch(pattern);
  });

  it('goes away', async () => {
    // The namespace goes first and takes the rest along, so most of the file is gone when its turn comes.
    expect(await kubectl`delete -f ${SHOP} --ignore-not-found --timeout=30s`).toContain('namespace "shop" deleted\n');
    expect((await refused`get ns shop`).stderr).toContain('namespaces "shop" not found');
    expect((await refused`get pv shop-data`).stderr).toContain('persistentvolumes "shop-data" not found');
    expect((await refused`get crd carts.shop.example.com`).stderr).toContain('not found');
    expect(await kubectl`get pods -A -o name`).toBe('');
  });
});
