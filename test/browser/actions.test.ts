import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ActionSet } from '../../src/api/index.ts';
import { builtPage } from '../../src/main/built/page.ts';
import { ActionCluster, on, SPACE } from '../action/action-cluster.ts';
import { eventually } from '../eventually.ts';
import { objectOf, SECRETS } from '../kube-kinds.ts';
import { podClusters } from '../pod-clusters.ts';
import { launchBrowser, needsBrowser } from './browser.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const TICKS = 6;
const LINES = 5000;
const need = await needsBrowser();
const pocket = (await podClusters()).find(({ name }) => name === 'pocket')!;
const title = need.title(pocket.title('actions on the page of the real server'));

/** The real server and engine, pods that are processes, a real browser. */
describe.skipIf(need.missing || pocket.missing)(title, { timeout: 120_000 }, () => {
  let cluster: ActionCluster;
  let browser: Browser;
  const sets = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { items } of cluster.kube.list({ type: ActionSet, namespace: SPACE })) {
      for (const { metadata } of items) found.push(metadata.name);
    }
    return found;
  };
  const logIn = async (): Promise<Page> => {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 1400 } })).newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(cluster.url);
    await page.getByLabel('Token').fill(tokenOf(cluster));
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('live', { exact: true }).waitFor();
    return page;
  };

  beforeAll(async () => {
    await builtPage({ root: ROOT, signal: AbortSignal.timeout(120_000) });
    browser = await launchBrowser();
    cluster = await ActionCluster.start(pocket);
    const data = { password: Buffer.from('hunter2').toString('base64') };
    await cluster.kube.create({ type: SECRETS, namespace: SPACE }, objectOf(SECRETS, 'login', { data }));
    const said = 'echo "password={{ index .Secrets.login.Data "password" | toString }}"';
    const ticks = `for i in $(seq ${String(TICKS)}); do echo "tick $i $(date +%s%3N)"; sleep 1; done`;
    await cluster.blueprint('talking', {
      talk: {
        secretNames: ['login'],
        phases: [
          cluster.task('first', `${said}; ${ticks}`),
          cluster.task('second', 'kando output path stored/here; printf "\\033[31mred\\n"; sleep 1'),
        ],
      },
    });
    await cluster.blueprint('broken', { talk: { phases: [{ func: 'KubeTalk', name: 'x' }, { func: 'KubeTask' }] } });
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await cluster?.[Symbol.asyncDispose]();
  }, 60_000);

  it('runs one from its Blueprint after a dry run, and shows what its phases print within two seconds', async () => {
    const page = await logIn();
    await page.getByRole('link', { name: 'Blueprints' }).first().click();
    await page.getByRole('link', { name: 'talking' }).click();
    await page.getByRole('button', { name: 'Run talk…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('talk-1');
    await page.getByLabel('Kind').selectOption('Namespace');
    await page.getByLabel('Name of the object').fill(SPACE);
    await page.getByLabel('Secret login').fill('login');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('talk: 2 phases').waitFor();
    await preview.getByText('first').click();
    await preview.getByText('password=***', { exact: false }).waitFor();
    expect(await page.content()).not.toContain('hunter2');
    expect(await sets()).toEqual([]);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL(/operations/);
    await page.getByRole('heading', { name: 'action/talk-1' }).waitFor();
    const delays = await watchTicks(page);
    expect(delays.length).toBeGreaterThanOrEqual(TICKS / 2);
    expect(delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)]).toBeLessThan(2000);
    // The log is a window of lines: search shows those that are meant.
    await page.getByLabel('Search the log').fill('password');
    await page.getByText('password=***', { exact: false }).first().waitFor();
    await page.locator('article > header').getByText('completed').waitFor();
    await page.getByLabel('Search the log').fill('red phase=second');
    await page
      .getByText(String.raw`\x1b[31mred`, { exact: false })
      .first()
      .waitFor();
    expect(await page.content()).not.toContain('hunter2');
    await page.getByRole('tab', { name: 'Output' }).click();
    await page.getByText('stored/here').waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Log' }).click();
    await page.getByText('The pods of its phases are gone').waitFor();
    await page.getByText('Completed phase second').first().waitFor();
    await page.context().close();
  });

  it('streams megabytes of a pod that prints anything, each line once and none that a terminal would obey', async () => {
    const junk = 'head -c 100000 /dev/urandom; echo';
    const many = `i=0; while [ $i -lt ${String(LINES)} ]; do echo "line $i ${'x'.repeat(400)}"; i=$((i+1)); done`;
    await cluster.blueprint('loud', {
      shout: { phases: [cluster.task('loud', `sleep 2; ${junk}; ${many}; sleep 1`)] },
    });
    await cluster.create('loud-1', [on('shout', 'loud')]);
    const headers = { authorization: `Bearer ${tokenOf(cluster)}` };
    const found = await eventually(async () => {
      const response = await fetch(`${cluster.url}/api/operations?noun=action&q=loud`, { headers });
      const { operations } = (await response.json()) as { operations: { id: string }[] };
      if (operations[0] === undefined) throw new Error('it is not seen yet');
      return operations[0].id;
    });
    const log = await fetch(`${cluster.url}/api/operations/${found}/log?follow=1`, { headers });
    const text = await log.text();
    const lines = text.split('\n').filter((line) => line.includes('phase=loud'));
    const numbers = lines.flatMap((line) => /msg="line (\d+) x/.exec(line)?.[1] ?? []);
    expect(numbers.map(Number)).toEqual(Array.from({ length: LINES }, (_, at) => at));
    expect(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text)).toBe(false);
    expect(text).toContain('the action set has ended');
  });

  it('shows what is wrong with a Blueprint, and why a run of it would be refused', async () => {
    const page = await logIn();
    await page.goto(`${cluster.url}/#/blueprints`);
    await page.getByRole('link', { name: 'broken' }).click();
    await page
      .getByText(/KubeTalk/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: /^Problems \(/ }).waitFor();
    await page.getByRole('button', { name: 'Run talk…' }).click();
    await page.getByLabel('Kind').selectOption('Namespace');
    await page.getByLabel('Name of the object').fill(SPACE);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('It would be refused.').waitFor();
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    await page.context().close();
  });
});

function tokenOf({ kubeconfig }: ActionCluster): string {
  const { users } = parse(readFileSync(kubeconfig, 'utf8')) as { users: { user: { token: string } }[] };
  return users[0]!.user.token;
}

/** How long each line took from its pod to the page. */
async function watchTicks(page: Page): Promise<number[]> {
  const delays = new Map<string, number>();
  await eventually(
    async () => {
      const texts = await page.getByText(/tick \d+ \d{13}/).allTextContents();
      for (const text of texts) {
        const [, tick = '', printed = ''] = /tick (\d+) (\d{13})/.exec(text) ?? [];
        if (tick !== '' && !delays.has(tick)) delays.set(tick, Date.now() - Number(printed));
      }
      if (delays.size < TICKS) throw new Error(`only ${String(delays.size)} lines came`);
    },
    { withinMs: 60_000 },
  );
  return [...delays.values()];
}
