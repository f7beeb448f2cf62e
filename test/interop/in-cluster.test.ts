import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { AuditLog } from './audit-log.ts';
import { PortForward } from './port-forward.ts';
import { APPLICATION } from './server-deeds.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guide/in-cluster.md'), 'utf8');
const COMMANDS = [...GUIDE.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));
const SERVER = 'system:serviceaccount:velero:headway';

/** A pod whose hooks say what they did, and take their time. */
const FROZEN = '/tmp/frozen';
const POD = `
apiVersion: v1
kind: Pod
metadata: { name: db, namespace: shop, labels: { app: db } }
spec:
  terminationGracePeriodSeconds: 0
  containers: [{ name: main, image: 'busybox:1', command: [sleep, infinity] }]
`;
const slowBackup = (name: string, seconds: number): string => `
apiVersion: velero.io/v1
kind: Backup
metadata: { name: ${name}, namespace: velero }
spec:
  includedNamespaces: [shop]
  hooks:
    resources:
      - name: quiet
        labelSelector: { matchLabels: { app: db } }
        pre: [{ exec: { command: [sh, -c, 'echo pre >>/tmp/${name}; touch ${FROZEN}; sleep ${seconds}'] } }]
        post: [{ exec: { command: [sh, -c, 'echo post >>/tmp/${name}; rm -f ${FROZEN}'] } }]
`;

const need = needsBed({ clusters: 1, nodes: true, s3: true });
// One walk through the guide: a step cannot be tried again without those before it.
describe.skipIf(need.missing)(need.title('Headway in the cluster'), { retry: 0 }, () => {
  const here = mkdtempSync(join(tmpdir(), 'headway-in-cluster-'));
  const audit = new AuditLog(here);
  const left = [...COMMANDS];
  let b: Bed;
  let env: Record<string, string>;
  /** The authority of the page's certificate, and a token of somebody who uses it. */
  let ca = '';
  let token = '';

  const sh = async (command: string, input = ''): Promise<string> =>
    await run('bash', { args: ['-euc', `cd ${here}; ${command}`], env, timeoutMs: 120_000, input });
  const inDb = async (script: string): Promise<string> =>
    (await sh(`kubectl -n shop exec db -- sh -c '${script}'`)).trim();
  const isFrozen = async (): Promise<void> => {
    await eventually(async () => await inDb(`test -e ${FROZEN}`), { withinMs: 30_000 });
  };
  const leader = async (): Promise<string> =>
    (await sh("kubectl -n velero get lease headway -o jsonpath='{.spec.holderIdentity}'")).split('_')[0] ?? '';
  const field = async (what: string, path: string): Promise<string> =>
    await sh(`kubectl -n velero get ${what} -o jsonpath='{${path}}'`);

  /** The next command of the guide, which must begin so. */
  function next(begin: string): string {
    const command = left.shift() ?? '';
    expect(command.slice(0, begin.length)).toBe(begin);
    return command;
  }

  beforeAll(async () => {
    b = await bed({ clusters: 1, nodes: true, s3: true, apiserverFlags: audit.flags });
    await b.clusters[0]!.node!.load('headway');
    const { bucket, region, endpoint, accessKey, secretKey } = b.s3!;
    env = {
      KUBECONFIG: b.kubeconfig,
      HOME: here,
      HEADWAY_HOME: join(here, 'state'),
      PATH: [join(ROOT, 'bin'), dirname(b.bin('kubectl')), dirname(b.bin('velero')), process.env['PATH'] ?? ''].join(
        delimiter,
      ),
      ...{ IMAGE: 'headway:dev', BUCKET: bucket, REGION: region, S3_URL: endpoint, NAMESPACE: 'shop' },
    };
    const keys = `aws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}`;
    writeFileSync(join(here, 'credentials'), `[default]\n${keys}\n`);
    // Where only the restricted may run, and on a cluster whose administrators make namespaces themselves.
    await sh(
      'kubectl create namespace velero; kubectl label namespace velero pod-security.kubernetes.io/enforce=restricted',
    );
    await sh('kubectl create namespace shop');
    await eventually(async () => await sh('kubectl apply -f -', `${APPLICATION}---${POD}`), { withinMs: 20_000 });
  }, 180_000);
  afterAll(async () => {
    await b?.[Symbol.asyncDispose]();
    rmSync(here, { recursive: true, force: true });
  }, 60_000);

  it('installs, and says why when it cannot run', { timeout: 180_000 }, async () => {
    expect(COMMANDS).toHaveLength(9);
    await expect(sh('headway install --image UPPER')).rejects.toThrow(/does not start: .*InvalidImageName/);
    const said = await sh(next('headway install'));
    expect(said).toContain('Headway is running\n');
    expect(await field('deployment/headway', '.status.readyReplicas')).toBe('2');
    expect(await sh(next('headway location create'))).toContain('location/default created\n');
    await eventually(
      async () => {
        expect(await sh('headway location get')).toContain('✓ available');
      },
      { withinMs: 30_000 },
    );
  });

  it('backs up and restores', { timeout: 120_000 }, async () => {
    expect(await sh(next('headway backup create'))).toContain('✓ backup/first  completed');
    await sh('kubectl delete clusterrole,clusterrolebinding shop-cleaner');
    expect(await sh(next('headway restore create'))).toContain('✓ restore/copy  completed');
    await sh('kubectl -n shop-copy get role/cleaner rolebinding/cleaner configmap/settings');
    // The restored pod is no picture of one.
    await sh('kubectl -n shop-copy wait pod/db --for=condition=Ready --timeout=60s');
  });

  it('shows its page through kubectl, to those who log in', { timeout: 90_000 }, async () => {
    const forward = next('kubectl -n velero port-forward').replace(/7443$/, ':7443');
    ca = await sh(next('kubectl -n velero get secret headway-tls'));
    token = (await sh(next('kubectl -n velero create token'))).trim();
    await using page = await PortForward.start(forward, { ...process.env, ...env }, ca);
    expect(await page.ask('/')).toMatchObject({
      status: 200,
      body: expect.stringContaining('<!doctype html>') as string,
    });
    expect((await page.ask('/readyz')).status).toBe(200);
    expect((await page.ask('/api/operations')).status).toBe(401);
    const logIn = async (as: string) =>
      await page.ask('/api/login', { method: 'POST', body: { cluster: 'in-cluster', token: as } });
    expect((await logIn('guess')).status).toBe(401);
    const login = await logIn(token);
    expect(login.status).toBe(200);
    const seen = await page.ask('/api/operations', { headers: { cookie: login.cookies.join('; ') } });
    const { operations } = JSON.parse(seen.body) as { operations: { id: string }[] };
    expect(operations.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['in-cluster.backup.velero.first', 'in-cluster.restore.velero.copy']),
    );
    // Not under a stranger's name, with whatever certificate.
    expect((await page.ask('/api/session', { headers: { host: 'evil.example.com' } })).status).toBe(403);
  });

  it('answers the stock velero', { timeout: 180_000 }, async () => {
    expect(await sh('velero backup create second --include-namespaces shop --wait')).toContain('status: Completed');
    expect(await sh('velero backup describe second --details --colorized=false')).toMatch(/Phase:\s+Completed/);
    expect(await sh('velero backup logs second')).toContain('backup is archived');
    const restored = 'velero restore create again --from-backup second --namespace-mappings shop:shop-again --wait';
    expect(await sh(restored)).toContain('status: Completed');
    expect(await sh('velero version')).toContain('Server:');
  });

  it('goes on when its leader is killed, and thaws what that one froze', { timeout: 180_000 }, async () => {
    const killed = await leader();
    await sh('kubectl apply -f -', slowBackup('killed', 8));
    await isFrozen();
    await sh(`kubectl -n velero delete pod ${killed} --grace-period=0 --force`);
    await eventually(
      async () => {
        expect(await field('backup/killed', '.status.phase')).toBe('Completed');
      },
      { withinMs: 90_000 },
    );
    expect(await leader()).not.toBe(killed);
    expect(await inDb(`ls ${FROZEN} 2>/dev/null || echo thawed`)).toBe('thawed');
    // Once for each attempt; after the kill it was thawed before it was frozen again.
    expect((await inDb('cat /tmp/killed')).split('\n')).toEqual(['pre', 'post', 'pre', 'post']);
    await sh('kubectl -n velero rollout status deployment/headway --timeout=60s');
  });

  it('keeps keys and tokens out of arguments, environments and its log', { timeout: 60_000 }, async () => {
    const key = await field('secret/headway-tls', '.data.tls\\.key');
    const secrets = [b.s3!.secretKey, token, key, Buffer.from(key, 'base64').toString().split('\n')[1] ?? ''];
    for (const secret of secrets) expect(secret.length).toBeGreaterThan(8);
    const seen = [
      await sh('kubectl -n velero get pods,deployments -o yaml'),
      await sh('kubectl -n velero logs deployment/headway --all-pods'),
      await sh('kubectl -n velero exec deployment/headway -- sh -c "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ"'),
    ];
    for (const text of seen) {
      for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    }
    const id = await sh('kubectl -n velero exec deployment/headway -- sh -c "id -u; touch /opt/x 2>&1 || true"');
    expect(id).toMatch(/^65532\n.*Read-only file system/);
  });

  it('has all the rights that it needs', () => {
    expect(audit.of(SERVER, 'forbid')).toEqual([]);
    expect(audit.of(SERVER, 'allow').length).toBeGreaterThan(20);
  });

  it(
    'refuses to go while something runs, unless it is told to, and thaws on its way out',
    { timeout: 180_000 },
    async () => {
      await sh('kubectl apply -f -', slowBackup('late', 60));
      await isFrozen();
      await expect(sh('headway uninstall --confirm')).rejects.toThrow('these have not ended: backup/late');
      expect(await field('deployment/headway', '.spec.replicas')).toBe('2');
      const said = await sh(`${next('headway uninstall')} --force`);
      expect(said).toContain('the server: deployment, service and certificate headway in namespace velero');
      expect(await inDb(`ls ${FROZEN} 2>/dev/null || echo thawed`)).toBe('thawed');
      const kinds = 'all,secret,serviceaccount,role,rolebinding,lease,configmap';
      const names = (await sh(`kubectl -n velero get ${kinds} -o name`)).trim().split('\n').sort();
      expect(names).toEqual(['configmap/kube-root-ca.crt', 'serviceaccount/default']);
      expect(
        await sh(
          "kubectl get crd,clusterrole,clusterrolebinding -o name | grep -E 'velero.io|kanister|migration|headway' || true",
        ),
      ).toBe('');
      await sh(next('kubectl delete namespace'));
      expect(left).toEqual([]);
      expect(existsSync(join(b.s3!.directory, b.s3!.bucket, 'backups/first/first.tar.gz'))).toBe(true);
    },
  );
});
