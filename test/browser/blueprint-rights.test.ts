import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, Blueprint, KINDS, toCrd, type ResourceType } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { builtPage } from '../../src/main/built/page.ts';
import { bed, needsBed, run, type Bed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, CRDS, NAMESPACES, objectOf, SERVICE_ACCOUNTS } from '../kube-kinds.ts';
import { Served } from '../server/served.ts';
import { launchBrowser, needsBrowser } from './browser.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const GROUP = 'rbac.authorization.k8s.io';
const role = (kind: string, plural: string): ResourceType => ({
  group: GROUP,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const ROLES = role('Role', 'roles');
const ROLE_BINDINGS = role('RoleBinding', 'rolebindings');
const SEE = { apiGroups: ['cr.kanister.io'], resources: ['actionsets', 'blueprints'], verbs: ['get', 'list', 'watch'] };
const real = needsBed({ clusters: 1 });
const need = await needsBrowser();

/** Two users before a real API server, each in a browser of their own. */
describe.skipIf(real.missing || need.missing)(real.title(need.title('Blueprints and rights')), () => {
  let place: Bed;
  let kube: KubeClient;
  let served: Served;
  let browser: Browser;
  const name = (): string => place.clusters[0]!.name;

  beforeAll(async () => {
    const pageDir = await builtPage({ root: ROOT, signal: AbortSignal.timeout(120_000) });
    browser = await launchBrowser();
    place = await bed({ clusters: 1 });
    kube = await clientFor(place.kubeconfig);
    await Promise.all(KINDS.map((kind) => kube.create({ type: CRDS }, toCrd(kind) as unknown as KubeObject)));
    for (const each of ['velero', 'shop', 'bank']) await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, each));
    for (const each of ['shop', 'bank']) await fill(each);
    await kube.create({ type: ROLES, namespace: 'shop' }, objectOf(ROLES, 'shopper', { rules: [SEE] }));
    await bind(ROLE_BINDINGS, 'Role', 'shopper', 'shop');
    await kube.create({ type: CLUSTER_ROLES }, objectOf(CLUSTER_ROLES, 'overseer', { rules: [SEE] }));
    await bind(CLUSTER_ROLE_BINDINGS, 'ClusterRole', 'overseer');
    const { kubeconfig } = place.clusters[0]!;
    served = await Served.start([{ name: name(), kubeconfig, login: 'token' }], { pageDir });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await served?.[Symbol.asyncDispose]();
    await kube?.close();
    await place?.[Symbol.asyncDispose]();
  }, 60_000);

  async function fill(namespace: string): Promise<void> {
    const actions: JsonObject = { backup: { phases: [{ func: 'KubeTask', name: 'dump', args: { image: 'x' } }] } };
    const blueprint = objectOf(Blueprint, `of-${namespace}`, { actions });
    await eventually(() => kube.create({ type: Blueprint, namespace }, blueprint), { withinMs: 30_000 });
    const phases = [{ name: 'dump', state: 'running' }];
    const status = { state: 'running', actions: [{ name: 'backup', phases }] };
    await kube.create({ type: ActionSet, namespace }, objectOf(ActionSet, `set-${namespace}`, { spec: {}, status }));
  }

  async function bind(type: ResourceType, kind: string, user: string, namespace?: string): Promise<void> {
    await kube.create({ type: SERVICE_ACCOUNTS, namespace: 'velero' }, objectOf(SERVICE_ACCOUNTS, user));
    const fields = {
      roleRef: { apiGroup: GROUP, kind, name: user },
      subjects: [{ kind: 'ServiceAccount', name: user, namespace: 'velero' }],
    };
    await kube.create({ type, ...(namespace === undefined ? {} : { namespace }) }, objectOf(type, user, fields));
  }

  async function as(user: string): Promise<Page> {
    const args = ['--kubeconfig', place.kubeconfig, '-n', 'velero', 'create', 'token', user];
    const token = (await run(place.bin('kubectl'), { args })).trim();
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(served.url);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  }
  const go = async (page: Page, place_: string): Promise<void> => {
    await page.goto(`${served.url.replace(/\/$/, '')}/${place_}`);
  };
  const blueprint = (namespace: string): string =>
    `#/blueprints/${encodeURIComponent(`${name()}/${namespace}/of-${namespace}`)}`;

  it('shows each user what they may see, and lets them do no more', { timeout: 120_000 }, async () => {
    const [shopper, overseer] = await Promise.all([as('shopper'), as('overseer')]);
    await go(overseer, '#/blueprints');
    await overseer.getByText('Blueprints (2)').waitFor();
    await go(shopper, '#/blueprints');
    await shopper.getByText('Blueprints (1)').waitFor();
    await shopper.getByRole('link', { name: 'of-shop' }).waitFor();
    await shopper.getByText('only those where you may').waitFor();
    expect(await shopper.content()).not.toContain('of-bank');
    await go(shopper, blueprint('bank'));
    await shopper.getByText('You are not allowed to see this').waitFor();
    await go(shopper, `${blueprint('shop')}?run=backup`);
    await shopper.getByLabel('Name of the object').fill('db');
    await shopper.getByRole('button', { name: 'Preview' }).click();
    await shopper
      .getByText(/cannot create resource "actionsets"/)
      .first()
      .waitFor();
    await Promise.all([shopper.context().close(), overseer.context().close()]);
  });

  it('tells whoever may not watch pods why the log of an action has no more in it', { timeout: 120_000 }, async () => {
    const shopper = await as('shopper');
    await go(shopper, `#/operations/${name()}.actionset.shop.set-shop?tab=log`);
    await shopper
      .getByText(/pods in namespace shop cannot be watched/)
      .first()
      .waitFor();
    await shopper
      .getByText(/phase begins/)
      .first()
      .waitFor();
    await go(shopper, `#/operations/${name()}.actionset.bank.set-bank?tab=log`);
    await shopper.getByText('You are not allowed to see this').waitFor();
    await shopper.context().close();
  });
});
