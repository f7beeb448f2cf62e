import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS, toCrd } from '../../src/api/index.ts';
import { NO_LOG } from '../../src/base/index.ts';
import { ADAPTERS, formatOperationId } from '../../src/core/operations/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { builtPage } from '../../src/main/built/page.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket } from '../../src/pocket/index.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { CRDS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { HISTORIES } from '../operations/histories.ts';
import { placeOf, play } from '../operations/play.ts';
import { Served } from '../server/served.ts';
import { launchBrowser, needsBrowser } from './browser.ts';
import { inOrder, judgeRows, judgeSteps, watchRows, watchSteps } from './watching.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const CLUSTER = 'here';
const need = await needsBrowser();

/** Every kind on a pocket cluster whose objects others write, the real server, a real browser. */
describe.skipIf(need.missing)(need.title('every kind on the page of the real server'), { timeout: 120_000 }, () => {
  let browser: Browser;
  let kube: KubeClient;
  let served: Served;
  const closers: (() => unknown)[] = [];

  beforeAll(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'headway-kinds-'));
    closers.push(() => {
      rmSync(dir, { recursive: true, force: true });
    });
    const pageDir = await builtPage({ root: ROOT, signal: AbortSignal.timeout(120_000) });
    browser = await launchBrowser();
    closers.push(() => browser.close());
    const pocket = await startPocket({ dir, name: CLUSTER, port: 0, clock: systemClock, log: NO_LOG });
    closers.push(() => pocket.close());
    kube = await clientFor(pocket.kubeconfig);
    closers.push(() => kube.close());
    await Promise.all(KINDS.map((kind) => kube.create({ type: CRDS }, toCrd(kind) as unknown as KubeObject)));
    for (const name of ['velero', 'openshift-migration', 'shop']) {
      await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, name));
    }
    served = await Served.start([{ name: CLUSTER, kubeconfig: pocket.kubeconfig, login: 'link' }], { pageDir });
    closers.push(() => served[Symbol.asyncDispose]());
  }, 180_000);
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  }, 60_000);

  const idOf = (kind: string, name: string): string =>
    formatOperationId({ cluster: CLUSTER, kind, namespace: placeOf(kind), name });
  const logIn = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(served.server.loginLink());
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  };
  const place = (hash: string): string => `${served.url.replace(/\/$/, '')}/${hash}`;

  it('keeps its promises while histories are played at 20 times their speed', async () => {
    // So high that every row is in the document.
    const all = await logIn({ viewport: { width: 1280, height: 2400 } });
    await all.goto(place('#/operations'));
    await watchRows(all);
    const one = await logIn({ viewport: { width: 1280, height: 800 } });
    await one.goto(place(`#/operations/${idOf('MigMigration', 'played-well')}`));
    await watchSteps(one);
    await Promise.all(HISTORIES.map((history) => play(kube, history)));
    await eventually(
      async () => {
        await judgeRows(all, HISTORIES);
      },
      { withinMs: 60_000 },
    );
    await one.getByRole('heading', { name: 'migration/played-well' }).waitFor();
    await one.locator('article > header').getByText('completed').waitFor();
    await judgeSteps(one);
    for (const page of [all, one]) await page.context().close();
  });

  it('cancels each kind by the field that it has, and offers it nowhere else', async () => {
    const page = await logIn();
    for (const { type, cancel } of ADAPTERS) {
      const namespace = placeOf(type.kind);
      const target = { type, namespace, name: 'to-cancel' };
      const { spec = {} } = HISTORIES.find((history) => history.kind === type.kind) ?? {};
      const status = { phase: 'InProgress', state: 'running' };
      await kube.create(target, objectOf(type, 'to-cancel', { spec, status }));
      await page.goto(place(`#/operations/${idOf(type.kind, 'to-cancel')}`));
      await eventually(
        async () => {
          // It may not have been there when the page asked for it.
          if ((await page.getByRole('tab', { name: 'YAML' }).count()) === 0) await page.reload();
          await page.getByRole('tab', { name: 'YAML' }).waitFor({ timeout: 5000 });
        },
        { withinMs: 30_000 },
      );
      const button = page.getByRole('button', { name: 'Cancel', exact: true });
      expect([type.kind, await button.count()]).toEqual([type.kind, cancel === undefined ? 0 : 1]);
      if (cancel === undefined) continue;
      await button.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
      await page.getByRole('button', { name: 'Canceling…' }).waitFor();
      // The button says so as soon as it was asked.
      await eventually(async () => {
        expect(await kube.get(target)).toMatchObject(cancel.patch);
      });
    }
    await page.context().close();
  });

  it('has steps whose states come in order', () => {
    expect(inOrder([['running'], ['running', 'running'], ['done', 'running']])).toBe(false);
    expect(
      inOrder([
        ['running', 'notStarted'],
        ['done', 'running'],
        ['done', 'done'],
      ]),
    ).toBe(true);
  });
});
