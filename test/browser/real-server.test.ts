import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Backup, Restore } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import { builtPage } from '../../src/main/built/page.ts';
import { reservePort } from '../bed/ports.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { killLeader } from '../kill-leader.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { servedPocket, type ServedCluster } from '../served-cluster.ts';
import { launchBrowser, needsBrowser } from './browser.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
// So many that a restore takes longer than a person needs to stop it.
const ITEMS = 5000;
const need = await needsBrowser();

/** No script between them: the real server, its real engine, a real browser. */
describe.skipIf(need.missing)(need.title('the page of the real server'), () => {
  let cluster: ServedCluster;
  let browser: Browser;
  let server: Running;
  let address: string;

  const serve = async () => await cluster.serve('--listen', new URL(address).host);
  const phaseOf = async (type: typeof Backup | typeof Restore, name: string) =>
    textAt(await cluster.kube.get({ type, namespace: 'velero', name }), 'status', 'phase');
  const request = async (kind: 'Backup' | 'Restore', name: string, spec: object) => {
    const type = kind === 'Backup' ? Backup : Restore;
    const metadata = { name, namespace: 'velero' };
    await cluster.kube.create(
      { type, namespace: 'velero' },
      { apiVersion: 'velero.io/v1', kind, metadata, spec: { ...spec } },
    );
  };
  const logIn = async (): Promise<Page> => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(address);
    const { users } = parse(readFileSync(cluster.kubeconfig, 'utf8')) as { users: { user: { token: string } }[] };
    await page.getByLabel('Token').fill(users[0]!.user.token);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  };

  beforeAll(async () => {
    await builtPage({ root: ROOT, signal: AbortSignal.timeout(120_000) });
    browser = await launchBrowser();
    cluster = await servedPocket();
    address = `http://127.0.0.1:${String(await reservePort())}`;
    server = await serve();
    await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'many'));
    const make = async (from: number) => {
      for (let at = from; at < ITEMS; at += 20)
        await cluster.kube.create({ type: CONFIG_MAPS, namespace: 'many' }, objectOf(CONFIG_MAPS, `m${String(at)}`));
    };
    await Promise.all(Array.from({ length: 20 }, (_, from) => make(from)));
    await request('Backup', 'all', { includedNamespaces: ['many'] });
    await eventually(
      async () => {
        expect(await phaseOf(Backup, 'all')).toBe('Completed');
      },
      { withinMs: 60_000 },
    );
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await cluster?.[Symbol.asyncDispose]();
  });

  it('shows a restore to its end, over a server that is killed in the middle', { timeout: 150_000 }, async () => {
    const page = await logIn();
    await request('Restore', 'copy', { backupName: 'all', namespaceMapping: { many: 'many-copy' } });
    await page.getByText('restore/copy').first().click();
    const bar = page.getByRole('progressbar').first();
    const seen: number[] = [];
    const look = async () => seen.push(Number((await bar.getAttribute('aria-valuenow')) ?? 0));
    await eventually(
      async () => {
        await look();
        expect(seen.at(-1)).toBeGreaterThan(0);
      },
      { withinMs: 60_000 },
    );
    await killLeader(server, cluster.kube);
    await page.getByText('reconnecting').first().waitFor();
    server = await serve();
    await page.getByText('live', { exact: true }).waitFor();
    await eventually(
      async () => {
        await look();
        expect(await page.getByText(/Restored .* items/).count()).toBeGreaterThan(0);
      },
      { withinMs: 90_000 },
    );
    await look();
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(100);
    expect(await phaseOf(Restore, 'copy')).toBe('Completed');
    await page.context().close();
  });

  it('cancels what it is told to', { timeout: 120_000 }, async () => {
    const page = await logIn();
    await request('Restore', 'stop', { backupName: 'all', namespaceMapping: { many: 'many-stopped' } });
    await page.goto(`${address}/#/operations/pocket-served.restore.velero.stop`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await eventually(
      async () => {
        const restore = await cluster.kube.get({ type: Restore, namespace: 'velero', name: 'stop' });
        expect(textAt(restore, 'status', 'failureReason')).toBe('canceled');
      },
      { withinMs: 60_000 },
    );
    await page
      .getByText(/^Canceled/)
      .first()
      .waitFor();
    await page.context().close();
  });
});
