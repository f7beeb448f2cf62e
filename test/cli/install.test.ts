import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, DEPLOYMENT, LEASE, Restore, SECRET } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { installer } from '../../src/main/install/installer.ts';
import { readNamedFile } from '../../src/main/read-file.ts';
import { eventually } from '../eventually.ts';
import { CliFixture, VELERO } from './cli-fixture.ts';
import type { Ran } from './command-line.ts';

const LOCATIONS = { ...VELERO, kind: 'BackupStorageLocation', plural: 'backupstoragelocations' };
const KEYS = '[default]\naws_access_key_id=AKIA\naws_secret_access_key=hidden\n';
const AT = { namespace: 'velero' };

let cli: CliFixture;
let here: string;
beforeAll(async () => {
  cli = await CliFixture.start();
  here = mkdtempSync(join(tmpdir(), 'headway-install-'));
  writeFileSync(join(here, 'credentials'), KEYS);
});
afterAll(async () => {
  await cli[Symbol.asyncDispose]();
  rmSync(here, { recursive: true, force: true });
});

const run = async (args: string[], answer?: boolean): Promise<Ran> =>
  await cli.begin(args, {
    readFile: readNamedFile,
    confirm: () => Promise.resolve(answer),
    installer: () =>
      Promise.resolve(
        installer({
          home: cli.pocket.dir,
          env: { KUBECONFIG: join(cli.pocket.dir, 'kubeconfig') },
          tell: () => undefined,
          signal: AbortSignal.timeout(60_000),
        }),
      ),
  }).ended;
const create = async (name: string, ...more: string[]): Promise<Ran> =>
  await run(['location', 'create', name, '--provider', 'aws', '--bucket', 'b', ...more]);
const file = (name: string): string => join(here, name);
const secretOf = (name: string) => cli.kube.get({ type: SECRET, ...AT, name });

describe('location create --credentials-file', () => {
  it('makes a Secret that goes with the location', async () => {
    const made = await create('near', '--credentials-file', file('credentials'));
    expect(made).toEqual({ code: 0, out: 'secret/near-credentials created\nlocation/near created\n', err: '' });
    const location = await cli.get(LOCATIONS, 'near');
    expect(location['spec']).toMatchObject({ credential: { name: 'near-credentials', key: 'cloud' } });
    const secret = await secretOf('near-credentials');
    expect(Buffer.from((secret['data'] as { cloud: string }).cloud, 'base64').toString()).toBe(KEYS);
    await run(['location', 'delete', 'near', '--confirm']);
    await eventually(async () => {
      await expect(secretOf('near-credentials')).rejects.toMatchObject({ code: 'notFound' });
    });
  });

  it('leaves no Secret behind when there is no new location', async () => {
    await create('taken');
    const again = await create('taken', '--credentials-file', file('credentials'));
    expect(again.code).toBe(1);
    expect(again.err).toContain('location "taken" already exists in namespace velero');
    await expect(secretOf('taken-credentials')).rejects.toMatchObject({ code: 'notFound' });
  });

  it('refuses a Secret that is there, a file without keys, and credentials given twice', async () => {
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine-credentials', ...AT } };
    await cli.kube.create({ type: SECRET, ...AT }, object);
    const there = await create('mine', '--credentials-file', file('credentials'));
    expect(there.err).toBe(
      'headway: there is already a Secret "mine-credentials" in namespace velero\n' +
        'Use it with: --credential mine-credentials=cloud\n' +
        '  Or delete it first: kubectl -n velero delete secret mine-credentials\n',
    );
    writeFileSync(file('empty'), 'AKIA hidden\n');
    const keyless = await create('x', '--credentials-file', file('empty'));
    expect(keyless.code).toBe(2);
    expect(keyless.err).toContain('is not an AWS credentials file');
    expect(keyless.err).not.toContain('hidden');
    const twice = await create('x', '--credentials-file', file('credentials'), '--credential', 'a=b');
    expect(twice).toMatchObject({ code: 2, err: expect.stringContaining('not both') as string });
  });

  it('prints the location and never the keys', async () => {
    const { out, err } = await create('shown', '--credentials-file', file('credentials'), '-o', 'yaml');
    expect(out).toContain('name: shown-credentials');
    expect(out + err).not.toMatch(/hidden|AKIA/);
  });
});

describe('install', () => {
  it('does not overwrite a kubeconfig', async () => {
    const refused = await run(['install', '--server-kubeconfig', file('credentials')]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('exists already, and is not overwritten');
    expect(readFileSync(file('credentials'), 'utf8')).toBe(KEYS);
  });

  it('writes a kubeconfig for the account, with the token that the cluster gives it', async () => {
    const installing = run(['install', '--server-kubeconfig', file('server.kubeconfig')]);
    // Pocket gives accounts no tokens of their own, so the test does it in its place.
    await eventually(async () => {
      const target = { type: SECRET, ...AT, name: 'headway-token' };
      await cli.kube.patch(target, { kind: 'merge', body: { stringData: { token: cli.pocket.pocket.token } } });
    });
    expect((await installing).out).toContain('Next: headway server --kubeconfig');
    expect(statSync(file('server.kubeconfig')).mode & 0o777).toBe(0o600);
    const got = await run(['location', 'get', '--kubeconfig', file('server.kubeconfig'), '-o', 'name']);
    expect(got.out).toContain('taken');
  });
});

describe('install --image', () => {
  it.each([
    [['--image', 'x', '--crds-only'], '--crds-only and --image exclude each other'],
    [['--image', 'x', '--server-kubeconfig', 'f'], '--server-kubeconfig and --image exclude each other'],
    [['--tls-secret', 'x'], '--tls-secret needs --image'],
    [['--allowed-hosts', 'x'], '--allowed-hosts needs --image'],
    [['--image', ' '], '--image: expected the name of an image'],
  ])('refuses %j', async (flags, problem) => {
    const refused = await run(['install', ...flags]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(problem);
  });

  it('puts server, accounts and certificate in place, and keeps the certificate when it is run again', async () => {
    const flags = ['install', '--image', 'example.org/headway:1', '--no-wait', '--allowed-hosts', 'h.example.org'];
    const { code, out } = await run(flags);
    expect(code).toBe(0);
    expect(out).toContain('certificate of the page in Secret velero/headway-tls created\n');
    expect(out).toContain('deployment velero/headway runs example.org/headway:1;');
    const certificate = await secretOf('headway-tls');
    expect((await run(flags)).out).toContain('certificate of the page in Secret velero/headway-tls exists\n');
    expect((await secretOf('headway-tls'))['data']).toEqual(certificate['data']);
    // A server in the cluster gets tokens that expire.
    await cli.kube.delete({ type: SECRET, ...AT, name: 'headway-token' });
    await run(flags);
    await expect(secretOf('headway-token')).rejects.toMatchObject({ code: 'notFound' });
    const missing = await run([...flags, '--tls-secret', 'mine']);
    expect(missing.err).toContain('use Secret velero/mine for the page: there is none');
  });
});

describe('uninstall', () => {
  const lease = (spec: JsonObject) =>
    cli.kube.patch({ type: LEASE, ...AT, name: 'headway' }, { kind: 'merge', body: { spec } });

  it('refuses while a server renews its lease, or Velero runs', { timeout: 30_000 }, async () => {
    await lease({ holderIdentity: 'there' });
    const refused = run(['uninstall', '--confirm']);
    const renewals = setInterval(() => void lease({ renewTime: new Date().toISOString().replace('Z', '000Z') }), 50);
    expect(await refused).toMatchObject({
      code: 1,
      err: 'headway: a Headway server is running for this cluster (there)\nStop it first, with Ctrl-C or SIGTERM, then run this command again\n',
    });
    clearInterval(renewals);
    await lease({ holderIdentity: '' });
    const app = { app: 'velero' };
    const template = { metadata: { labels: app }, spec: { containers: [{ name: 'velero', image: 'velero' }] } };
    const spec = { replicas: 1, selector: { matchLabels: app }, template };
    const metadata = { name: 'velero', ...AT };
    await cli.kube.create({ type: DEPLOYMENT, ...AT }, { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    const beside = await run(['uninstall', '--confirm']);
    expect(beside.err).toContain('Velero runs in namespace velero and uses the same CRDs');
    await cli.kube.delete({ type: DEPLOYMENT, ...AT, name: 'velero' });
  });

  it('refuses while something has not ended that a server in the cluster works on', async () => {
    const backup = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'open', ...AT }, spec: {} };
    await cli.kube.create({ type: Backup, ...AT }, backup);
    expect((await run(['uninstall', '--confirm'])).err).toContain('these have not ended: backup/open\n');
    await cli.kube.delete({ type: Backup, ...AT, name: 'open' });
    const { out } = await run(['uninstall'], false);
    expect(out).toContain('the server: deployment, service and certificate headway in namespace velero');
    await cli.kube.get({ type: DEPLOYMENT, ...AT, name: 'headway' });
  });

  it('says what goes and what stays, asks, and is not held up by finalizers', { timeout: 60_000 }, async () => {
    await create('far', '--prefix', 'p', '--credentials-file', file('credentials'));
    const finalizers = ['restores.velero.io/external-resources-finalizer'];
    const restore = {
      apiVersion: 'velero.io/v1',
      kind: 'Restore',
      metadata: { name: 'r', ...AT, finalizers },
      spec: {},
      status: { phase: 'Completed' },
    };
    await cli.kube.create({ type: Restore, ...AT }, restore);
    expect(await run(['uninstall'])).toMatchObject({
      code: 2,
      err: 'headway: nothing was removed: without a terminal to ask on, uninstall needs --confirm\n',
    });
    const asked = await run(['uninstall'], false);
    expect(asked.code).toBe(130);
    expect(asked.out.split('\n').slice(1)).toEqual([
      'Removes from the cluster:',
      '  the server: deployment, service and certificate headway in namespace velero',
      "  Headway's CRDs and every object of these kinds: 2 BackupStorageLocation, 1 Restore",
      '  the service accounts headway and headway-operator, with their tokens, rights and share of the API server',
      '  credentials of locations: Secret far-credentials',
      'Keeps:',
      '  the files of every backup, in b/p (location far), b (location taken)',
      '  the namespaces velero and openshift-migration, and everything else in the cluster',
      '',
    ]);
    await cli.get(LOCATIONS, 'far');
    expect((await run(['uninstall'], true)).out).toContain('kubectl delete namespace velero openshift-migration');
    expect((await run(['location', 'get'])).err).toContain('Headway is not installed');
    await expect(cli.kube.get({ type: DEPLOYMENT, ...AT, name: 'headway' })).rejects.toMatchObject({
      code: 'notFound',
    });
    for (const name of ['far-credentials', 'headway-token', 'headway-tls']) {
      await expect(secretOf(name)).rejects.toMatchObject({ code: 'notFound' });
    }
    await secretOf('mine-credentials');
    expect((await run(['uninstall', '--confirm'])).code).toBe(0);
  });
});
