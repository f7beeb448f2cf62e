import { describe, expect, it } from 'vitest';
import { needsBrowser } from './browser.ts';
import { axeProblems, PageFixture } from './page-fixture.ts';
import { BLUEPRINT_PLACE } from './sample-blueprints.ts';
import { fillKinds } from './sample-kinds.ts';
import { idOf } from './sample-object.ts';
import { BACKUP_ID, FAILED_ID, fillSample, RESTORE_ID, STALLED_ID } from './sample-cluster.ts';

const need = await needsBrowser();

const PLACES: readonly (readonly [place: string, shows: string])[] = [
  ['#/', 'Needs attention'],
  [`#/operations/${RESTORE_ID}`, 'ConfigMap'],
  [`#/operations/${STALLED_ID}?tab=log`, '400 lines'],
  [`#/operations/${FAILED_ID}?tab=problems`, 'port already allocated'],
  [`#/operations/${BACKUP_ID}?tab=timeline`, 'total'],
  [`#/operations/${BACKUP_ID}?tab=yaml`, 'velero.io/v1'],
  ['#/operations', 'Operations (10)'],
  ['#/backups', 'Backups (6)'],
  ['#/backups?new=1', 'Preview'],
  [`#/backups/${BACKUP_ID}?ns=shop`, '240 items'],
  [`#/backups/${BACKUP_ID}?item=secrets/shop/secret-0`, 'replaced by asterisks'],
  [`#/backups/${BACKUP_ID}?tab=compare&with=cluster`, '1 changed'],
  [`#/backups/${BACKUP_ID}?tab=volumes&volume=nightly-14-0123456789`, '3 entries'],
  [`#/restore/${BACKUP_ID}`, '961 items'],
  [`#/restore/${BACKUP_ID}?step=where`, 'Leave it as it is'],
  [`#/restore/${BACKUP_ID}?step=check`, '12 cannot be restored'],
  ['#/restores', 'Restores (4)'],
  ['#/schedules', 'weekly'],
  ['#/schedules?new=1', 'Create schedule'],
  ['#/schedules?show=demo/velero/nightly', 'Run now'],
  ['#/locations?new=1', 'Create location'],
  ['#/locations', 'InvalidAccessKeyId'],
  ['#/blueprints', 'Blueprints (3)'],
  [BLUEPRINT_PLACE, 'unknown argument contaner'],
  [`${BLUEPRINT_PLACE}?run=backup`, 'Secret login'],
];
/** With the sample of the other kinds. */
const KIND_PLACES: readonly (readonly [place: string, shows: string])[] = [
  ['#/', 'migration/shop-to-b'],
  ['#/actions', 'There are no actions in cluster prod-b'],
  ['#/migrations', 'Migrations (5)'],
  [`#/operations/${idOf('MigMigration', 'shop-to-b')}?tab=timeline`, 'Parts (4)'],
  [`#/operations/${idOf('MigMigration', 'billing-to-b')}`, 'Step 3 of 6: DataBackup'],
  [`#/operations/${idOf('MigMigration', 'search-to-b')}`, 'Step 2 of 6: Backup'],
  [`#/operations/${idOf('ActionSet', 'all-databases')}`, 'Step 2 of 5: dumpToObjectStore'],
  [`#/operations/${idOf('VolumePluginBackup', 'shop-data-pgdata')}`, 'part of'],
  [`#/operations/${idOf('Backup', 'shop-data')}`, 'Claims without data (2)'],
  [`#/operations/${idOf('ActionSet', 'files-backup')}?tab=output`, 'artifact dump'],
  [`#/operations/${idOf('ActionSet', 'files-backup')}?tab=log`, 'their logs with them'],
  [`#/operations?parent=${idOf('Backup', 'shop-data')}`, 'Parts of backup/shop-data (2)'],
];
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

describe.skipIf(need.missing)(need.title('how the page looks'), () => {
  const fixture = new PageFixture().use();

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of SIZES) {
      it(`has no problem that axe knows, ${colorScheme} at ${String(viewport.width)} px, and is never wider than the screen`, async () => {
        fillSample(fixture.server);
        const page = await fixture.open('#/', { colorScheme, viewport });
        const problems: string[] = [];
        const look = async ([place, shows]: (typeof PLACES)[number]): Promise<void> => {
          await page.goto(`${fixture.server.url}${place}`);
          await page.getByText(shows).first().waitFor();
          // The theme changes nothing but colours.
          const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
          problems.push(...(await axeProblems(page, rules)).map((text) => `${place}: ${text}`));
          const width = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (width > viewport.width) problems.push(`${place}: ${String(width)} px wide`);
        };
        for (const place of PLACES) await look(place);
        fillKinds(fixture.server);
        // Who is looking at what is asked for once.
        await page.reload();
        for (const place of KIND_PLACES) await look(place);
        expect(problems).toEqual([]);
      }, 240_000);
    }
  }

  it('can be used with the keyboard alone', async () => {
    fillSample(fixture.server);
    const page = await fixture.open();
    await page.getByText('live', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('nightly-14');
    await page
      .getByRole('option', { name: /backup\/nightly-14/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'backup/nightly-14' }).waitFor();
    await page.getByRole('tab', { name: 'Items by kind' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('No problems').waitFor();
  });

  it('goes through the wizard and creates nothing before its last button', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/restore/${BACKUP_ID}`);
    await page.getByLabel(/^shop/).check();
    await page.getByText('240 items').waitFor();
    await page.getByRole('button', { name: 'Next: where' }).click();
    await page.getByLabel('shop', { exact: true }).fill('Shop_New');
    await page.getByText('"Shop_New" cannot be the name of a namespace').waitFor();
    await page.getByLabel('shop', { exact: true }).fill('shop-copy');
    await page.getByRole('button', { name: 'Next: check' }).click();
    await page.getByText('2 300 will be created').waitFor();
    const changes = () =>
      fixture.server.requests.filter(({ method, path }) => method !== 'GET' && path !== '/api/plan');
    expect(changes()).toEqual([]);
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(/operations/);
    expect(changes().map(({ path }) => path)).toEqual(['/api/restores']);
    expect(JSON.parse(changes()[0]?.body ?? '')).toEqual({
      apiVersion: 'velero.io/v1',
      kind: 'Restore',
      metadata: { namespace: 'velero', name: expect.stringMatching(/^nightly-14-\d{14}$/) as string },
      spec: { backupName: 'nightly-14', includedNamespaces: ['shop'], namespaceMapping: { shop: 'shop-copy' } },
    });
  });

  it('retries what failed, and only that', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/operations/${FAILED_ID}`);
    await page.getByRole('link', { name: 'Retry the 12' }).click();
    await page.getByRole('heading', { name: 'Retry what restore/test did not restore' }).waitFor();
    await page.getByText('2 300 will be created').waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(/operations/);
    const sent = fixture.server.requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ path }) => path)).toEqual(['/api/plan', '/api/restores']);
    expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({
      metadata: {
        name: expect.stringMatching(/^test-retry-\d{14}$/) as string,
        annotations: { 'headway.io/retry-of': 'test' },
      },
      spec: { backupName: 'nightly-14' },
    });
  });

  it('tells what is wrong with labels instead of restoring everything', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/restore/${BACKUP_ID}?labels=app`);
    await page.getByText('“app” is not a label').waitFor();
    await page.goto(`${fixture.server.url}#/restore/${BACKUP_ID}?labels=app&step=check`);
    await page.getByText('Go back to “What” and correct it').waitFor();
    expect(fixture.server.requests.filter(({ path }) => path === '/api/plan')).toEqual([]);
  });

  it('offers no restore of a backup that failed', async () => {
    fillSample(fixture.server);
    const page = await fixture.open('#/backups/demo.backup.velero.adhoc');
    await page.getByText('There is nothing to restore in this backup').waitFor();
    await page.getByText('location default cannot be reached').waitFor();
    expect(await page.getByRole('link', { name: 'Restore…' }).count()).toBe(0);
  });

  it('searches the log and pauses it', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/operations/${RESTORE_ID}?tab=log`);
    await page.getByText('400 lines').waitFor();
    await page.getByLabel('Search the log').fill('level=error');
    await page.getByText('4 of 400 lines').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('0 new since paused').waitFor();
  });
});
