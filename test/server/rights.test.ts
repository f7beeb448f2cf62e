import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, Backup, KINDS, toCrd, type ResourceType } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { bed, needsBed, run, type Bed } from '../bed/index.ts';
import { CommandLine } from '../cli/command-line.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, CRDS, NAMESPACES, objectOf, SERVICE_ACCOUNTS } from '../kube-kinds.ts';
import { EventStream } from './event-stream.ts';
import { Served, type Ask } from './served.ts';

const rbac = (kind: string, plural: string): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const ROLES = rbac('Role', 'roles');
const ROLE_BINDINGS = rbac('RoleBinding', 'rolebindings');
const VELERO = 'velero';
const ID = 'bed-1.backup.velero.one';

const SEE_ACTIONS = { apiGroups: ['cr.kanister.io'], resources: ['actionsets'], verbs: ['list', 'watch', 'get'] };
const SEE = { apiGroups: ['velero.io'], resources: ['backups', 'restores'], verbs: ['list', 'watch', 'get'] };
const USERS: Record<string, JsonObject[]> = {
  viewer: [SEE],
  operator: [
    SEE,
    { apiGroups: ['velero.io'], resources: ['backups'], verbs: ['create', 'patch'] },
    { apiGroups: ['velero.io'], resources: ['downloadrequests'], verbs: ['create'] },
  ],
  stranger: [],
  leaver: [SEE],
  // These two have rights to action sets elsewhere.
  shopper: [],
  overseer: [],
  demoted: [SEE],
};

const real = needsBed({ clusters: 2 });
describe.skipIf(real.missing)(real.title('the server before real RBAC'), () => {
  let place: Bed;
  let kube: KubeClient;
  let served: Served;
  const tokens: Record<string, string> = {};

  beforeAll(async () => {
    place = await bed({ clusters: 2 });
    const clients = await Promise.all(place.clusters.map(({ kubeconfig }) => clientFor(kubeconfig)));
    await Promise.all(clients.map(prepare));
    kube = clients[0]!;
    await clients[1]!.close();
    for (const [name, rules] of Object.entries(USERS)) tokens[name] = await createUser(name, rules);
    await grantActions();
    await create(Backup, 'one', { spec: { storageLocation: 'default' }, status: { phase: 'InProgress' } });
    served = await Served.start(
      place.clusters.map(({ name, kubeconfig }) => ({ name, kubeconfig, login: 'token' as const })),
      { limits: { rightsMs: 1000 } },
    );
  }, 180_000);

  afterAll(async () => {
    await served?.[Symbol.asyncDispose]();
    await kube?.close();
    await place?.[Symbol.asyncDispose]();
  }, 60_000);

  async function prepare(client: KubeClient): Promise<void> {
    await Promise.all(KINDS.map((kind) => client.create({ type: CRDS }, toCrd(kind) as unknown as KubeObject)));
    await client.create({ type: NAMESPACES }, objectOf(NAMESPACES, VELERO));
    await eventually(
      async () => await client.list({ type: Backup, namespace: VELERO })[Symbol.asyncIterator]().next(),
      {
        withinMs: 30_000,
      },
    );
  }

  async function create(type: ResourceType, name: string, fields: JsonObject): Promise<void> {
    await kube.create({ type, namespace: VELERO }, objectOf(type, name, fields));
  }

  async function createUser(name: string, rules: JsonObject[]): Promise<string> {
    await create(SERVICE_ACCOUNTS, name, {});
    await create(ROLES, name, { rules });
    await create(ROLE_BINDINGS, name, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name, namespace: VELERO }],
    });
    const { kubeconfig } = place.clusters[0]!;
    const args = ['--kubeconfig', kubeconfig, '-n', VELERO, 'create', 'token', name];
    return (await run(place.bin('kubectl'), { args })).trim();
  }

  /** One may see action sets in namespace shop alone, the other in all namespaces. */
  async function grantActions(): Promise<void> {
    for (const name of ['shop', 'bank', 'later']) await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
    for (const name of ['shop', 'bank']) await actionIn(name);
    const subject = (name: string) => [{ kind: 'ServiceAccount', name, namespace: VELERO }];
    const to = (kind: string, name: string) => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: subject(name),
    });
    const all = { type: CLUSTER_ROLES };
    await kube.create(all, objectOf(CLUSTER_ROLES, 'overseer', { rules: [SEE_ACTIONS] }));
    await kube.create(
      { type: CLUSTER_ROLE_BINDINGS },
      objectOf(CLUSTER_ROLE_BINDINGS, 'overseer', to('ClusterRole', 'overseer')),
    );
    for (const namespace of ['shop', 'later']) {
      await kube.create({ type: ROLES, namespace }, objectOf(ROLES, 'shopper', { rules: [SEE_ACTIONS] }));
      await kube.create({ type: ROLE_BINDINGS, namespace }, objectOf(ROLE_BINDINGS, 'shopper', to('Role', 'shopper')));
    }
  }

  async function actionIn(namespace: string): Promise<void> {
    const object = objectOf(ActionSet, `of-${namespace}`, { spec: {}, status: { state: 'running' } });
    await kube.create({ type: ActionSet, namespace }, object);
  }

  const as = (user: string, cluster = 'bed-1'): Record<string, string> => ({
    authorization: `Bearer ${tokens[user] ?? user}`,
    'x-headway-cluster': cluster,
  });
  const status = async (path: string, ask: Ask): Promise<number> => (await served.ask(path, ask)).status;
  const events = async (user: string): Promise<EventStream> =>
    new EventStream(await served.open('/api/events', { headers: as(user) }));

  it('lets nobody in without a token that the cluster takes', async () => {
    expect(await status('/api/operations', {})).toBe(401);
    const [head = '', , signature = ''] = tokens['viewer']!.split('.');
    const forged = Buffer.from(JSON.stringify({ sub: 'system:serviceaccount:velero:operator' })).toString('base64url');
    for (const token of ['', 'x', `${head}.${forged}.${signature}`, 'x'.repeat(20_000)]) {
      expect(await status('/api/operations', { headers: as(token) })).toBe(401);
    }
    const basic = { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` };
    expect(await status('/api/operations', { headers: basic })).toBe(401);
  });

  it('shows what the caller may list, and lets them change nothing else', async () => {
    const headers = as('viewer');
    expect(await status('/api/operations', { headers })).toBe(200);
    expect(await status(`/api/operations/${ID}`, { headers })).toBe(200);
    const body = { metadata: { name: 'mine' }, spec: {} };
    const refused = await served.ask('/api/backups', { method: 'POST', headers, body });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'forbidden' } } });
    expect(refused.text).toContain('system:serviceaccount:velero:viewer');
    expect(await status(`/api/operations/${ID}/cancel`, { method: 'POST', headers })).toBe(403);
    expect(await status(`/api/operations/${ID}`, { method: 'DELETE', headers })).toBe(403);
    const plan = { ...body, kind: 'Backup' };
    expect(await status('/api/plan', { method: 'POST', headers, body: plan })).toBe(403);
  });

  it('keeps what is inside of backups from those who may not download', async () => {
    for (const path of [
      `/api/operations/${ID}/log`,
      `/api/backups/${ID}/contents`,
      `/api/backups/${ID}/diff?with=cluster`,
    ]) {
      const { status: code, text } = await served.ask(path, { headers: as('viewer') });
      expect([code, text]).toEqual([403, expect.stringContaining('downloadrequests')]);
    }
    expect(await status(`/api/backups/${ID}/verify`, { method: 'POST', headers: as('viewer') })).toBe(403);
    // The operator gets past the rights, to a location that is not there.
    expect(await status(`/api/backups/${ID}/contents`, { headers: as('operator') })).toBe(404);
  });

  it('does what the caller may', async () => {
    const headers = as('operator');
    const body = { metadata: { name: 'made' }, spec: {} };
    expect(await status('/api/backups', { method: 'POST', headers, body })).toBe(201);
    expect(await status(`/api/operations/${ID}/cancel`, { method: 'POST', headers })).toBe(200);
  });

  it('tells those without any right nothing, neither whether something is there', async () => {
    const headers = as('stranger');
    expect(await status('/api/operations', { headers })).toBe(403);
    expect(await status('/api/events', { headers })).toBe(403);
    const [there, missing] = await Promise.all(
      [ID, 'bed-1.backup.velero.none'].map((id) => served.ask(`/api/operations/${id}`, { headers })),
    );
    expect(there!.text).toBe(missing!.text);
    expect(await status('/api/locations', { headers })).toBe(403);
  });

  it('shows action sets of the namespaces in which the caller may list them, and of no other', async () => {
    const names = async (user: string): Promise<string[]> => {
      const { json } = await served.ask('/api/operations', { headers: as(user) });
      return (json['operations'] as { ref: { name: string } }[]).map(({ ref }) => ref.name).toSorted();
    };
    expect(await names('shopper')).toEqual(['of-shop']);
    expect(await names('overseer')).toEqual(['of-bank', 'of-shop']);
    const of = (namespace: string): string => `/api/operations/bed-1.actionset.${namespace}.of-${namespace}`;
    expect(await status(of('shop'), { headers: as('shopper') })).toBe(200);
    expect(await status(of('bank'), { headers: as('shopper') })).toBe(403);
    // Also of a namespace in which nothing was when they came, and not for those who may not.
    const [shopper, viewer] = [await events('shopper'), await events('viewer')];
    await shopper.next('snapshot');
    await actionIn('later');
    await eventually(
      () => {
        expect(JSON.stringify(shopper.events)).toContain('bed-1.actionset.later.of-later');
      },
      { withinMs: 20_000 },
    );
    expect(JSON.stringify(shopper.events)).not.toContain('of-bank');
    expect(JSON.stringify(viewer.events)).not.toContain('actionset');
    for (const stream of [shopper, viewer]) stream.close();
  }, 60_000);

  it('does so on the command line too, where nobody but the cluster is asked', async () => {
    const home = mkdtempSync(join(tmpdir(), 'headway-rights-'));
    const lineOf = async (user: string): Promise<CommandLine> => {
      const kubeconfig = join(home, user);
      writeFileSync(kubeconfig, readFileSync(place.clusters[0]!.kubeconfig));
      const kubectl = async (...args: string[]): Promise<unknown> =>
        await run(place.bin('kubectl'), { args: ['--kubeconfig', kubeconfig, 'config', ...args] });
      await kubectl('set-credentials', user, `--token=${tokens[user] ?? ''}`);
      await kubectl('set-context', '--current', `--user=${user}`, '--namespace=shop');
      return new CommandLine(home, kubeconfig);
    };
    const namesOf = (out: string): string[] => out.split('\n').flatMap((line) => /of-\w+/.exec(line) ?? []);
    const shopper = await lineOf('shopper');
    // In a namespace that they cannot know of, they have to name it.
    expect(namesOf((await shopper.run('action', 'get')).out)).toEqual(['of-shop']);
    expect((await shopper.run('action', 'get', '-n', 'bank')).code).toBe(4);
    const watch = shopper.begin(['watch', '-A', '-o', 'json']);
    await eventually(
      () => {
        expect(watch.out()).toContain('of-shop');
      },
      { withinMs: 20_000 },
    );
    watch.interrupt();
    const { out, err } = await watch.ended;
    expect([...new Set(namesOf(out))]).toEqual(['of-shop']);
    expect(err).toContain('▲ not shown, because you may not list them: backups, restores, ');
    const overseer = await lineOf('overseer');
    expect(namesOf((await overseer.run('action', 'get')).out)).toEqual(expect.arrayContaining(['of-bank', 'of-shop']));
    const stranger = await (await lineOf('stranger')).run('watch', '-A');
    expect([stranger.code, stranger.out]).toEqual([4, '']);
    expect(stranger.err).toContain('is not allowed to list ');
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  it('drops impersonation', async () => {
    const headers = { ...as('viewer'), 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' };
    const { json } = await served.ask('/api/session', { headers });
    expect(JSON.stringify(json)).toContain('system:serviceaccount:velero:viewer');
    const body = { metadata: { name: 'stolen' }, spec: {} };
    expect(await status('/api/backups', { method: 'POST', headers, body })).toBe(403);
  });

  it('uses a token for its own cluster only', async () => {
    const other = 'bed-2.backup.velero.one';
    expect(await status(`/api/operations/${other}`, { headers: as('operator') })).toBe(401);
    const body = { metadata: { name: 'x' }, spec: {} };
    expect(await status('/api/backups?cluster=bed-2', { method: 'POST', headers: as('operator'), body })).toBe(401);
    // Also when the cluster is named outright: bed-2 does not take what bed-1 gave.
    expect(await status('/api/operations', { headers: as('operator', 'bed-2') })).toBe(401);
    const unnamed = { authorization: `Bearer ${tokens['operator'] ?? ''}` };
    expect(await status('/api/operations', { headers: unnamed })).toBe(400);
    expect(await status('/api/operations', { headers: as('operator', 'bed-9') })).toBe(404);
  });

  it('keeps a log-in by token in a cookie that holds nothing readable', async () => {
    const body = { token: tokens['viewer'], cluster: 'bed-1' };
    const answer = await served.ask('/api/login', { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(JSON.stringify([answer.headers, answer.text])).not.toContain(tokens['viewer']!.slice(0, 30));
    const me = await served.browser(answer.headers);
    expect(await status('/api/operations', { headers: me })).toBe(200);
    const made = { metadata: { name: 'x' }, spec: {} };
    expect(await status('/api/backups', { method: 'POST', headers: me, body: made })).toBe(403);
    expect(await status('/api/login', { method: 'POST', body: { token: 'wrong', cluster: 'bed-1' } })).toBe(401);
  });

  it('gives numbers only to those who may read them', async () => {
    expect(await status('/metrics', { headers: as('viewer') })).toBe(403);
  });

  it('looks again at the rights of an open stream', async () => {
    const [leaving, losing] = [await events('leaver'), await events('demoted')];
    await Promise.all([leaving.next('snapshot'), losing.next('snapshot')]);
    await kube.delete({ type: ROLE_BINDINGS, namespace: VELERO, name: 'demoted' });
    await kube.delete({ type: SERVICE_ACCOUNTS, namespace: VELERO, name: 'leaver' });
    // The API server itself remembers a token for ten seconds.
    await eventually(
      () => {
        expect([leaving.hasEnded, losing.hasEnded]).toEqual([true, true]);
      },
      { withinMs: 30_000 },
    );
    expect(await status('/api/events', { headers: as('demoted') })).toBe(403);
  }, 60_000);

  it('comes back when a cluster that was away does', async () => {
    let stream = await events('viewer');
    await stream.next('snapshot');
    await place.clusters[0]!.stopApiserver();
    await place.clusters[0]!.startApiserver();
    await create(Backup, 'after', { spec: {} });
    await eventually(
      async () => {
        // A server that has just started may know no roles for a moment, which ends a stream as a lost right does.
        if (stream.hasEnded) stream = await events('viewer');
        expect(JSON.stringify(stream.events)).toContain('bed-1.backup.velero.after');
      },
      { withinMs: 60_000 },
    );
    stream.close();
  }, 120_000);
});
