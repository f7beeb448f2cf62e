import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { needsBrowser } from './browser.ts';
import { cutOff } from './cut-off.ts';
import { PageFixture } from './page-fixture.ts';
import { fillKinds, OTHER } from './sample-kinds.ts';
import { idOf, object } from './sample-object.ts';
import { longPipeline, manyVolumes } from './sample-many.ts';
import { CLUSTER, operation } from './sample-operations.ts';

const need = await needsBrowser();
/** Of a page with as much as can be on it. */
const MOST_ELEMENTS = 1500;

describe.skipIf(need.missing)(need.title('kinds of the three groups, whatever they hold'), { timeout: 60_000 }, () => {
  const fixture = new PageFixture().use();

  const openOne = async (kind: string, name: string, options = {}): Promise<Page> => {
    const page = await fixture.open(`#/operations/${encodeURIComponent(idOf(kind, name))}`, options);
    await page.getByRole('tab', { name: 'YAML' }).waitFor();
    return page;
  };
  const elements = async (page: Page): Promise<number> =>
    await page.evaluate<number>('document.querySelectorAll("*").length');

  it('opens the running one of 500 steps, with a hundred around it', async () => {
    fixture.server.apply(CLUSTER, longPipeline());
    const page = await openOne('MigMigration', 'long');
    const steps = page.getByRole('list', { name: 'Steps' });
    expect(await steps.locator('[aria-current=step]').innerText()).toMatch(/^Step251/);
    await steps.getByText('200 before').waitFor();
    await steps.getByText('200 more').waitFor();
    const opened = page.getByRole('region', { name: 'Step 251 of 500: Step251' });
    expect(await opened.getByRole('listitem').count()).toBe(12);
    await opened.getByRole('button', { name: 'Show 88 more' }).click();
    expect(await opened.getByRole('listitem').count()).toBe(100);
    expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
    // Another step, remembered over a reload, and none.
    await steps.getByRole('button', { name: 'Step250' }).click();
    await page.getByRole('region', { name: 'Step 250 of 500: Step250' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Step 250 of 500: Step250' }).waitFor();
    await steps.getByRole('button', { name: 'Step250' }).click();
    expect(await page.getByRole('region', { name: /^Step \d/ }).count()).toBe(0);
  });

  it('shows some of 5 000 volumes below their backup, and all of them, or the failed ones, in a list', async () => {
    fixture.server.apply(CLUSTER, ...manyVolumes());
    const page = await openOne('Backup', 'huge');
    const volumes = page.getByRole('region', { name: 'Volumes (5 000)' });
    expect(await volumes.innerText()).toContain('20 running · 50 failed · 4 930 completed');
    expect(await volumes.getByRole('listitem').count()).toBe(12);
    expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
    await volumes.getByRole('link', { name: '50 failed' }).click();
    await page.getByRole('heading', { name: 'Parts of backup/huge (50)' }).waitFor();
    await page.getByText('no space left on device').first().waitFor();
    await page.getByLabel('State').selectOption('');
    await page.getByRole('heading', { name: 'Parts of backup/huge (5 000)' }).waitFor();
    await page.getByRole('button', { name: 'Show 1 000 of 4 000 more' }).click();
    await page.getByRole('button', { name: 'Show 1 000 of 3 000 more' }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
    // None of them is among the operations that every page keeps.
    await page.goto(`${fixture.server.url}#/operations`);
    await page.getByRole('heading', { name: 'Operations (1)' }).waitFor();
  });

  it('tells equal names of two clusters apart, and filters by cluster', async () => {
    fillKinds(fixture.server);
    const page = await fixture.open('#/migrations');
    await page.getByRole('heading', { name: 'Migrations (5)' }).waitFor();
    const rows = page.getByRole('row').filter({ hasText: 'migration/shop-to-b' });
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/demo\s[^]*running/) as string,
      expect.stringMatching(/prod-b\s[^]*completed/) as string,
    ]);
    await page.getByLabel('Cluster', { exact: true }).selectOption(OTHER);
    await page.getByRole('heading', { name: 'Migrations (2)' }).waitFor();
    expect(await rows.allInnerTexts()).toEqual([expect.not.stringContaining('prod-b') as string]);
    await rows.getByRole('link').click();
    await page.getByText('100 %').waitFor();
    await page.getByRole('link', { name: 'Actions' }).click();
    await page.getByText('There are no actions in cluster prod-b').waitFor();
    await page.getByText('headway install --crds-only --context prod-b').waitFor();
  });

  it('shows on the page of a restore what its volumes were in the backup, and which have no data', async () => {
    const missing = 'the data of 1 claim is not in the backup: shop/cache (no running pod mounts it)';
    const conditions = [{ type: 'VolumeDataMissing', status: 'True', message: missing }];
    fixture.server.apply(
      'demo',
      object('VolumePluginRestore', 'r-1', {
        labels: { 'velero.io/restore-name': 'r' },
        annotations: {
          'headway.io/claim': 'copy/pgdata',
          'headway.io/backed-up-claim': 'shop/pgdata',
          'headway.io/backed-up-bytes': '2048',
          'headway.io/backed-up-at': '2026-01-01T00:00:00Z',
        },
        spec: { snapshotID: 's', backup: 'b', plugin: 'kopia' },
        status: { phase: 'Completed', fileCount: 7, progress: { bytesDone: 4096, totalBytes: 4096 } },
      }),
      object('Restore', 'r', { spec: { backupName: 'b' }, status: { phase: 'Completed', conditions } }),
    );
    const page = await fixture.open(`#/operations/${idOf('Restore', 'r')}`);
    const volumes = page.getByRole('region', { name: 'Volumes (1)' });
    await volumes.getByText('copy/pgdata · with kopia · 7 files').waitFor();
    await volumes.getByText('backed up from shop/pgdata, 2.0 KiB').waitFor();
    const gaps = page.getByRole('region', { name: 'Claims without data (1)' });
    await gaps.getByText('No running pod mounts it.').waitFor();
    await volumes.getByRole('link', { name: 'volume/pgdata' }).click();
    await page.getByText('of claim copy/pgdata').waitFor();
    await page.getByText('backed up from shop/pgdata, 2.0 KiB').waitFor();
  });

  it('names few of the claims without data, with the reason, and all on request', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `shop/c${String(at)}`);
    const message = `the data of 40 claims is not in the backup: ${names.join(', ')}`;
    const status = (reason = '') => ({
      phase: 'Completed',
      conditions: [{ type: 'VolumeDataMissing', status: 'True', message: `${message}${reason}` }],
    });
    fixture.server.apply(
      'demo',
      object('Backup', 'many-claims', { spec: {}, status: status(' (nobody asked)') }),
      object('Restore', 'many-claims', { spec: { backupName: 'many-claims' }, status: status() }),
    );
    const page = await fixture.open(`#/operations/${idOf('Backup', 'many-claims')}`);
    const gaps = page.getByRole('region', { name: 'Claims without data (40)' });
    await gaps.getByText('shop/c0, shop/c1, shop/c2, shop/c3, shop/c4, shop/c5 and 34 more').waitFor();
    await gaps.getByText('Nobody asked.').waitFor();
    const all = gaps.locator('details p');
    expect(await all.isVisible()).toBe(false);
    await gaps.getByText('Their names').click();
    expect(await all.textContent()).toContain('shop/c39');
    expect(await all.isVisible()).toBe(true);
    await page.goto(`${fixture.server.url}#/operations/${idOf('Restore', 'many-claims')}`);
    await gaps.getByText('The backup does not have their data, and says why.').waitFor();
  });

  it('draws the tree of a migration, with bytes, rate and time left', async () => {
    fillKinds(fixture.server);
    const page = await openOne('MigMigration', 'shop-to-b');
    const parts = page.getByRole('region', { name: 'Parts (4)' });
    const below = parts.locator('li li');
    // Of a backup with volumes the bytes are what takes long.
    expect(await parts.getByText('2.5 GiB of about 6.4 GiB').count()).toBe(1);
    expect(await parts.getByText('6 of about 9 items').count()).toBe(0);
    expect((await below.first().innerText()).trim().split(/\s*\n\s*/)).toEqual([
      'volume/pgdata',
      'running',
      '43 %',
      '1.9 GiB of about 4.4 GiB',
      '88.0 MiB/s',
      'about 29 s left',
      'shop/pgdata · with kopia',
    ]);
    await below.first().getByRole('link').click();
    await page.getByRole('heading', { name: 'volume/pgdata' }).waitFor();
    await page.getByRole('link', { name: 'backup/shop-data' }).click();
    await page.getByText('part of migration/shop-to-b').waitFor();
    await page.getByRole('region', { name: 'Volumes (2)' }).waitFor();
  });

  it('shows a canceled step other than a failed one', async () => {
    fillKinds(fixture.server);
    const page = await openOne('MigMigration', 'search-to-b');
    const sign = (text: string) =>
      page.getByRole('list', { name: 'Steps' }).getByText(text, { exact: true }).locator('..').locator('svg');
    expect(await sign('Backup').getAttribute('class')).toMatch(/stopped/);
    await page.getByRole('region', { name: 'Step 2 of 6: Backup' }).getByText('canceled after 3 min').waitFor();
    await page.goto(`${fixture.server.url}#/operations/${idOf('MigMigration', 'billing-to-b')}`);
    await page.getByRole('region', { name: 'Step 3 of 6: DataBackup' }).getByText('failed after 5 min').waitFor();
    expect(await sign('DataBackup').getAttribute('class')).toMatch(/bad/);
  });

  it('shows the running step first on a phone', async () => {
    fillKinds(fixture.server);
    const viewport = { width: 390, height: 844 };
    const page = await openOne('MigMigration', 'shop-to-b', { viewport });
    const step = await page.locator('[aria-current=step]').boundingBox();
    expect(step!.x).toBeGreaterThanOrEqual(0);
    expect(step!.x).toBeLessThan(viewport.width / 4);
    const opened = await page.getByRole('region', { name: 'Step 3 of 6: DataBackup' }).boundingBox();
    expect(opened!.y).toBeLessThan(viewport.height / 2);
    const left = page.getByRole('region', { name: 'Parts (4)' }).getByText('about 29 s left').last();
    expect(await cutOff(left)).toBe(0);
    // What a thumb has no room for is behind one more button.
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Locations' }).click();
    await page.getByRole('heading', { name: /^Locations/ }).waitFor();
  });

  it('shows parts whose parent is gone at the top, and nothing wrong of what nobody can read', async () => {
    const wrong = { pipeline: 'none', phase: 7, conditions: {}, actions: [1, null, { phases: 'x' }], progress: [] };
    const volume = { volume: 'pv-1', backup: 'gone', plugin: 'example.com/p' };
    fixture.server.apply(
      CLUSTER,
      object('VolumePluginBackup', 'lost', { spec: volume, status: { phase: 'InProgress' } }),
      object('Backup', 'orphan', { labels: { migmigration: 'uid-of-nobody' } }),
      object('MigMigration', 'wrong', {
        status: { ...wrong, pipeline: [{ name: 'A', started: 'gestern', progress: ['6 von 9'] }] },
      }),
      object('ActionSet', 'wrong', { status: wrong }),
      object('DirectVolumeMigration', 'wrong', { status: wrong }),
    );
    const newer = operation('Backup', 'newer', { report: { state: 'running' } });
    const id = `${CLUSTER}.wormhole.velero.newer`;
    fixture.server.put({ ...newer, id, noun: 'wormhole' as never, ref: { ...newer.ref, kind: 'Wormhole' } });
    const page = await fixture.open('#/operations');
    await page.getByRole('heading', { name: 'Operations (6)' }).waitFor();
    await page.getByRole('link', { name: 'volume/pv-1' }).click();
    await page.getByText('of backup/gone').waitFor();
    for (const kind of ['MigMigration', 'ActionSet', 'DirectVolumeMigration']) {
      await page.goto(`${fixture.server.url}#/operations/${idOf(kind, 'wrong')}`);
      await page.getByRole('tab', { name: 'YAML' }).waitFor();
      expect(await page.locator('article > header').innerText()).not.toMatch(/NaN|undefined|\d %/);
    }
    await page.goto(`${fixture.server.url}#/operations/${id}`);
    await page.getByRole('heading', { name: 'wormhole/newer' }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.goto(`${fixture.server.url}#/operations?parent=${idOf('Backup', 'gone')}`);
    await page.getByText('backup/gone has none, or is no longer there').waitFor();
  });
});
