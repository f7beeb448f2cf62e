/**
 * Makes the pictures of docs/guide/img: every page at both widths, in both themes where it says so. Without an argument
 * the pages show the sample of the browser tests; with the address of a running server, what that one has.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { builtPage } from '../src/main/built/page.ts';
import { launchBrowser } from '../test/browser/browser.ts';
import { BACKUP_ID, fillSample, RESTORE_ID, STALLED_ID } from '../test/browser/sample-cluster.ts';
import { BLUEPRINT_PLACE } from '../test/browser/sample-blueprints.ts';
import { fillKinds } from '../test/browser/sample-kinds.ts';
import { idOf } from '../test/browser/sample-object.ts';
import { running } from '../test/browser/sample-operations.ts';
import { ScriptedPageServer } from '../test/browser/scripted-page-server.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const OUT = join(ROOT, process.argv[3] ?? 'docs/guide/img');
const PAGES: Readonly<Record<string, string>> = {
  overview: '#/',
  operation: `#/operations/${RESTORE_ID}`,
  stalled: `#/operations/${STALLED_ID}?tab=log`,
  failed: '#/operations/demo.restore.velero.test?tab=problems',
  timeline: `#/operations/${BACKUP_ID}?tab=timeline`,
  migration: `#/operations/${idOf('MigMigration', 'shop-to-b')}`,
  'migration-failed': `#/operations/${idOf('MigMigration', 'billing-to-b')}`,
  'migration-canceled': `#/operations/${idOf('MigMigration', 'search-to-b')}`,
  migrations: '#/migrations',
  action: `#/operations/${idOf('ActionSet', 'all-databases')}`,
  actions: '#/actions',
  blueprints: '#/blueprints',
  blueprint: BLUEPRINT_PLACE,
  'run-action': `${BLUEPRINT_PLACE}?run=backup`,
  volumes: `#/operations/${idOf('Backup', 'shop-data')}`,
  operations: '#/operations',
  backups: '#/backups',
  'new-backup': '#/backups?new=1',
  contents: `#/backups/${BACKUP_ID}?ns=shop`,
  compare: `#/backups/${BACKUP_ID}?tab=compare&with=cluster`,
  'restore-what': `#/restore/${BACKUP_ID}`,
  'restore-where': `#/restore/${BACKUP_ID}?step=where`,
  'restore-check': `#/restore/${BACKUP_ID}?step=check`,
  restores: '#/restores',
  schedules: '#/schedules',
  'new-schedule': '#/schedules?new=1',
  locations: '#/locations',
  'new-location': '#/locations?new=1',
};
const DARK = ['overview', 'operation', 'migration'];
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;

async function shoot(browser: Browser, url: string): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const theme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport, colorScheme: theme, timezoneId: 'Europe/Berlin' });
      const page = await context.newPage();
      for (const [name, hash] of Object.entries(PAGES)) {
        if (theme === 'dark' && !DARK.includes(name)) continue;
        await page.goto(`${url}${hash}`);
        await page.waitForSelector('main h1');
        await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined);
        await page.screenshot({ path: join(OUT, `${name}-${size}${theme === 'dark' ? '-dark' : ''}.png`) });
      }
      await context.close();
    }
  }
}

mkdirSync(OUT, { recursive: true });
const browser = await launchBrowser();
const given = process.argv[2];
if (given?.startsWith('http')) await shoot(browser, given);
else {
  const server = await new ScriptedPageServer(
    await builtPage({ root: ROOT, signal: AbortSignal.timeout(120_000) }),
  ).start();
  fillSample(server);
  fillKinds(server);
  // From where the sample has it on: a page never lets a percent fall, and would show old ones beside new counts.
  let done = 1653;
  const timer = setInterval(() => {
    done = Math.min(2400, done + 3);
    const next = running('Restore', 'orders-copy', done);
    server.put({ ...next, report: { ...next.report, ratePerSecond: 700 + ((done * 7) % 190) } });
  }, 500);
  await shoot(browser, server.url);
  clearInterval(timer);
  await server.stop();
}
await browser.close();
