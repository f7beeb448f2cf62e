import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { beyond, rightsIn } from './access-rules.ts';
import { AuditLog } from './audit-log.ts';
import { APPLICATION, BACKUP_OF_VOLUME, POD_STATUS, POD_WITH_HOOK, POD_WITH_VOLUME, REQUESTS } from './server-deeds.ts';
import { unneededRights } from './unneeded-rights.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guide/real-cluster.md'), 'utf8');
const COMMANDS = [...GUIDE.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));
/** What follows a volume that was copied, and a claim that a pod began to mount: no kubelet runs here. */
const NOT_SHOWN = [
  ...['create', 'patch'].map((verb) => `headway: ${verb} backuprepositories.velero.io`),
  ...['podvolumerestores', 'volumepluginrestores'].map((kind) => `headway: delete ${kind}.velero.io`),
];
const SERVER = 'system:serviceaccount:velero:headway';

const need = needsBed({ s3: true });
// One walk through the guide: a step cannot be tried again without those before it.
describe.skipIf(need.missing)(need.title('the guide for a real cluster'), { retry: 0 }, () => {
  const here = mkdtempSync(join(tmpdir(), 'headway-guide-'));
  const audit = new AuditLog(here);
  const left = [...COMMANDS];
  let b: Bed;
  let kube: KubeClient;
  let env: Record<string, string>;
  let server: Running | undefined;
  /** Of the page, and of a person who uses it. */
  let url = '';
  let token = '';

  const sh = async (command: string, input = ''): Promise<string> =>
    await run('bash', { args: ['-euc', `cd ${here}; ${command}`], env, timeoutMs: 60_000, input });
  const patch = async (what: string, body: object): Promise<string> =>
    await sh(`kubectl patch ${what} --type=merge -p '${JSON.stringify(body)}'`);

  /** Runs the next command of the guide, which must begin so. */
  async function next(begin: string): Promise<string> {
    const command = left.shift() ?? '';
    expect(command.slice(0, begin.length)).toBe(begin);
    if (begin !== 'headway server') return await sh(command);
    // On a port that nobody else has; everything else as it is printed.
    const args = ['-c', `exec ${command} --listen 127.0.0.1:0`];
    server = new Running(spawn('bash', args, { cwd: here, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    return '';
  }
  async function serverLogs(text: string): Promise<void> {
    await eventually(
      () => {
        expect(server?.err).toContain(text);
      },
      { withinMs: 30_000 },
    );
  }

  beforeAll(async () => {
    b = await bed({ s3: true, apiserverFlags: audit.flags });
    kube = await clientFor(b.kubeconfig);
    const { bucket, region, endpoint, accessKey, secretKey } = b.s3!;
    env = {
      KUBECONFIG: b.kubeconfig,
      HOME: here,
      HEADWAY_HOME: join(here, 'state'),
      PATH: [join(ROOT, 'bin'), dirname(b.bin('kubectl')), process.env['PATH'] ?? ''].join(delimiter),
      ...{ BUCKET: bucket, REGION: region, S3_URL: endpoint, NAMESPACE: 'shop' },
    };
    symlinkSync(join(ROOT, 'deploy'), join(here, 'deploy'));
    const keys = `aws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}`;
    writeFileSync(join(here, 'credentials'), `[default]\n${keys}\n`);
    await sh('kubectl create namespace shop; kubectl apply -f -', APPLICATION);
  }, 120_000);
  afterAll(async () => {
    server?.child.kill('SIGKILL');
    await server?.finished();
    await kube?.close();
    await b?.[Symbol.asyncDispose]();
    rmSync(here, { recursive: true, force: true });
  }, 60_000);

  it('installs, backs up and restores', { timeout: 180_000 }, async () => {
    expect(COMMANDS).toHaveLength(10);
    await next('headway install');
    expect(statSync(join(here, 'headway.kubeconfig')).mode & 0o777).toBe(0o600);
    expect(await next('headway location create')).toBe(
      'secret/default-credentials created\nlocation/default created\n',
    );
    await next('headway server');
    await serverLogs('"phase":"Available"');
    expect(await next('headway location get')).toContain('✓ available');
    expect(await next('headway backup create')).toContain('✓ backup/first  completed');
    await sh('kubectl delete clusterrole,clusterrolebinding shop-cleaner');
    expect(await next('headway restore create')).toContain('✓ restore/copy  completed');
    const restored = await sh('kubectl -n shop-copy get role/cleaner rolebinding/cleaner configmap/settings -o name');
    expect(restored.trim().split('\n')).toHaveLength(3);
    await sh('kubectl get clusterrole/shop-cleaner clusterrolebinding/shop-cleaner');
  });

  it('opens the page to a token', { timeout: 60_000 }, async () => {
    await next('kubectl apply -f deploy/operator.yaml');
    token = (await next('kubectl -n velero create token')).trim();
    url = (JSON.parse(server!.err.split('\n')[0] ?? '') as { url: string }).url;
    const login = await fetch(new URL('/api/login', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cluster: 'bed-1', token }),
    });
    expect(login.status).toBe(200);
    const cookies = login.headers.getSetCookie().map((each) => each.split(';')[0]);
    const seen = await fetch(new URL('/api/operations', url), { headers: { cookie: cookies.join('; ') } });
    const { operations } = (await seen.json()) as { operations: { id: string }[] };
    expect(operations.map(({ id }) => id).sort()).toEqual(['bed-1.backup.velero.first', 'bed-1.restore.velero.copy']);
  });

  it('lets that token plan, back up and restore', { timeout: 60_000 }, async () => {
    const post = async (path: string, body: object): Promise<number> => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'x-headway-cluster': 'bed-1',
      };
      const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
      return answer.ok ? answer.status : expect.fail(`${path} answered ${await answer.text()}`);
    };
    const restore = { backupName: 'first', namespaceMapping: { shop: 'by-operator' } };
    expect(await post('/api/plan', { kind: 'Backup', spec: { includedNamespaces: ['shop'] } })).toBe(200);
    expect(await post('/api/plan', { kind: 'Restore', spec: restore })).toBe(200);
    expect(await post('/api/restores', { metadata: { name: 'by-operator' }, spec: restore })).toBe(201);
    await sh('headway restore watch by-operator');
  });

  it('gives the server the rights that it needs, and none besides', { timeout: 120_000 }, async () => {
    await provokeEverything();
    expect(audit.of(SERVER, 'forbid')).toEqual([]);
    const done = audit.of(SERVER, 'allow');
    const manifest = join(ROOT, 'deploy/server.yaml');
    // Without the rights of restores it does all the rest: only what was restored is beyond the others.
    const toBackUp = rightsIn(manifest).filter(({ role }) => role !== 'headway-restore');
    const places = beyond(toBackUp, done).map(({ namespace }) => namespace);
    expect([...new Set(places)].sort()).toEqual(['', 'by-operator', 'shop', 'shop-copy']);
    expect(await unneededRights({ manifest, kubeconfig: b.kubeconfig, kube, user: SERVER, done })).toEqual(NOT_SHOWN);
  });

  async function provokeEverything(): Promise<void> {
    await sh('kubectl apply -f -', POD_WITH_HOOK);
    await patch('-n hooks pod db --subresource=status', POD_STATUS);
    await patch('-n shop configmap settings', { data: { theme: 'light' } });
    await sh('kubectl apply -f -', REQUESTS);
    const phases =
      "kubectl -n velero get restore/again backup/hooked schedule/wrong -o jsonpath='{.items[*].status.phase}'";
    await eventually(
      async () => {
        expect(await sh(phases)).toBe('Completed PartiallyFailed FailedValidation');
      },
      { withinMs: 30_000 },
    );
    // The same event once more, which is counted instead of repeated.
    await patch('-n velero schedule wrong', { status: { phase: 'New' } });
    await sh('headway backup delete first --confirm --wait');
    await provokeMover();
    await eventually(
      () => {
        const done = audit.of(SERVER, 'allow').map(({ verb, resource }) => `${verb} ${resource}`);
        for (const last of ['patch events', 'delete deletebackuprequests']) expect(done).toContain(last);
      },
      { withinMs: 30_000 },
    );
  }

  async function provokeMover(): Promise<void> {
    await sh('kubectl apply -f -', POD_WITH_VOLUME);
    await patch('-n volumes pod db --subresource=status', POD_STATUS);
    await patch('-n volumes pvc data --subresource=status', { status: { phase: 'Bound' } });
    await sh('kubectl apply -f -', BACKUP_OF_VOLUME);
    await eventually(
      async () => {
        expect(await sh('kubectl -n volumes get pods -o name')).toContain('pod/headway-snapshot-moved-');
      },
      { withinMs: 30_000 },
    );
    expect(await sh('headway backup cancel moved --wait --timeout 40s || true')).toContain('canceled');
    expect(await sh('kubectl -n volumes get pods,secrets -o name')).toBe('pod/db\n');
  }

  it('uninstalls, and leaves the backups in the bucket', { timeout: 90_000 }, async () => {
    await Promise.all([
      expect(sh('headway uninstall --confirm')).rejects.toThrow('a Headway server is running for this cluster'),
      // A restore waits for a server to delete its files; there will be none.
      sh('headway restore create last --from-backup hooked --wait'),
    ]);
    server?.child.kill('SIGTERM');
    expect((await server?.finished())?.code).toBe(0);
    expect(await next('headway uninstall')).toContain('the files of every backup, in headway (location default)');
    expect(
      await sh("kubectl get crd,clusterrole,clusterrolebinding -o name | grep -E 'velero.io|headway' || true"),
    ).toBe('');
    expect(await sh('kubectl -n velero get secret,serviceaccount,lease -o name')).toBe(
      // Whoever has the bucket needs the password too.
      'secret/velero-repo-credentials\nserviceaccount/default\n',
    );
    await next('kubectl delete namespace');
    expect(left).toEqual([]);
    const bucket = join(b.s3!.directory, b.s3!.bucket);
    for (const file of ['backups/hooked/hooked.tar.gz', 'restores/last/restore-last-logs.gz']) {
      expect(existsSync(join(bucket, file)), file).toBe(true);
    }
  });
});
