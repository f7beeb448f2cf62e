import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { needsBrowser } from './browser.ts';
import { PageFixture } from './page-fixture.ts';
import { BACKUP_ID, fillSample } from './sample-cluster.ts';

const need = await needsBrowser();
const PHONE = { viewport: { width: 390, height: 844 } };
const SIZES = [
  ['at a desk', {}],
  ['on a phone', PHONE],
] as const;

describe.skipIf(need.missing)(need.title('the forms of the page'), () => {
  const fixture = new PageFixture().use();
  const sent = (): { method: string; path: string; body: unknown }[] =>
    fixture.server.requests
      .filter(({ method, path }) => method !== 'GET' && path !== '/api/plan')
      .map(({ method, path, body }) => ({
        method,
        path,
        body: body === '' ? undefined : (JSON.parse(body) as unknown),
      }));
  /** Nothing that is needed may be beside or below the screen. */
  const press = async (page: Page, name: string): Promise<void> => {
    const button = page.getByRole('button', { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    const box = await button.boundingBox();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    expect(box !== null && box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, name).toBe(true);
    await button.click();
  };

  it.each(SIZES)('back up chosen namespaces with labels, time, location and hooks, %s', async (_, options) => {
    fillSample(fixture.server);
    const page = await fixture.open('#/backups', options);
    await press(page, 'Back up…');
    await page.getByLabel('Name', { exact: true }).fill('before-upgrade');
    await page.getByLabel('shop', { exact: true }).check();
    await page.getByLabel('Labels', { exact: true }).fill('app=shop');
    await page.getByLabel('Keep for').selectOption('7 days');
    await page.getByLabel('Location', { exact: true }).selectOption('offsite');
    await page.getByText('Hooks: commands to run in pods').click();
    await page.getByLabel('Before a pod is backed up').fill('fsfreeze --freeze /data');
    await page.getByLabel('In pods with labels').fill('app=db');
    await press(page, 'Preview');
    await page.getByText('1 814 items of 2 types').waitFor();
    expect(sent()).toEqual([]);
    await press(page, 'Back up');
    await page.waitForURL(/operations/);
    const exec = { command: ['/bin/sh', '-c', 'fsfreeze --freeze /data'], onError: 'Fail' };
    expect(sent()).toMatchObject([
      {
        path: '/api/backups',
        body: {
          metadata: { name: 'before-upgrade' },
          spec: {
            includedNamespaces: ['shop'],
            labelSelector: { matchLabels: { app: 'shop' } },
            ttl: '168h0m0s',
            storageLocation: 'offsite',
            hooks: { resources: [{ labelSelector: { matchLabels: { app: 'db' } }, pre: [{ exec }], post: [] }] },
          },
        },
      },
    ]);
  });

  it.each(SIZES)('create a schedule, and say when it would run or why never, %s', async (_, options) => {
    fillSample(fixture.server);
    const page = await fixture.open('#/schedules', options);
    await press(page, 'New schedule…');
    await page.getByLabel('Name', { exact: true }).fill('hourly');
    await page.getByLabel('When', { exact: true }).fill('every day');
    await page.getByText('expected', { exact: false }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Create schedule' }).isDisabled()).toBe(true);
    await page.getByLabel('When', { exact: true }).fill('0 * * * *');
    await page.getByText(/^Next: /).waitFor();
    await press(page, 'Create schedule');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(sent()).toMatchObject([
      { path: '/api/schedules', body: { metadata: { name: 'hourly' }, spec: { schedule: '0 * * * *', template: {} } } },
    ]);
  });

  it.each(SIZES)('edit, pause, run and delete a schedule, %s', async (_, options) => {
    fillSample(fixture.server);
    const page = await fixture.open('#/schedules', options);
    await page.getByRole('link', { name: 'nightly' }).click();
    await press(page, 'Edit');
    await page.getByLabel('When', { exact: true }).fill('0 5 * * *');
    await press(page, 'Save');
    await press(page, 'Pause');
    await expect.poll(() => sent().length).toBe(2);
    await press(page, 'Delete');
    await press(page, 'Keep it');
    await press(page, 'Run now');
    await page.waitForURL(/operations\/demo\.backup\.velero\.nightly-/);
    expect(sent()).toMatchObject([
      { method: 'PUT', path: '/api/schedules/nightly', body: { spec: { schedule: '0 5 * * *' } } },
      { method: 'POST', path: '/api/schedules/nightly/pause', body: { paused: true } },
      { method: 'POST', path: '/api/schedules/nightly/run' },
    ]);
  });

  it.each(SIZES)('create an S3 location with its keys, check and delete one, %s', async (_, options) => {
    fillSample(fixture.server);
    const page = await fixture.open('#/locations', options);
    await press(page, 'New location…');
    await page.getByLabel('Name', { exact: true }).fill('second');
    await page.getByLabel('Bucket', { exact: true }).fill('more-backups');
    await page.getByLabel('Region').fill('eu-central-1');
    await page.getByLabel('Access key').fill('AKIA');
    expect(await page.getByRole('button', { name: 'Create location' }).isDisabled()).toBe(true);
    await page.getByLabel('Secret key').fill('very-secret');
    await press(page, 'Create location');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check now' }).first().click();
    await page.getByRole('button', { name: 'Delete' }).last().click();
    await press(page, 'Delete it');
    await expect.poll(() => sent().length).toBe(3);
    expect(sent()).toMatchObject([
      {
        path: '/api/locations',
        body: {
          spec: { provider: 'aws', objectStorage: { bucket: 'more-backups' }, config: { region: 'eu-central-1' } },
          credentials: { accessKeyId: 'AKIA', secretAccessKey: 'very-secret' },
        },
      },
      { path: '/api/locations/default/check' },
      { method: 'DELETE', path: '/api/locations/offsite' },
    ]);
    expect(page.url()).not.toContain('very-secret');
  });

  it('create a location in a directory', async () => {
    const page = await fixture.open('#/locations?new=1');
    await page.getByLabel('Directory on the server').check();
    await page.getByLabel('Name', { exact: true }).fill('here');
    await page.getByLabel('Directory', { exact: true }).fill('backups');
    await press(page, 'Create location');
    await expect.poll(() => sent().length).toBe(1);
    expect(sent()).toMatchObject([
      { body: { spec: { provider: 'headway.io/fs', objectStorage: { bucket: 'backups' } } } },
    ]);
  });

  it('say at the field what is wrong, in words', async () => {
    fixture.server.refusals.set('/api/backups', {
      status: 409,
      code: 'alreadyExists',
      message: 'backups.velero.io "twice" already exists',
      details: { fields: [{ field: 'metadata.name', message: 'this name is taken already; choose another one' }] },
    });
    const page = await fixture.open('#/backups?new=1');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('My Backup');
    await page.getByText('Use lower-case letters, digits').waitFor();
    expect(await page.getByRole('button', { name: 'Back up', exact: true }).isDisabled()).toBe(true);
    await name.fill('twice');
    await press(page, 'Back up');
    await page.getByText('This name is taken already; choose another one.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('refuse a namespace in the wizard that no cluster takes, at its field and before the dry run', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/restore/${BACKUP_ID}?step=where`);
    await page.getByLabel('shop', { exact: true }).fill('Shop New');
    await page.getByText('"Shop New" cannot be the name of a namespace').waitFor();
    await page.getByRole('button', { name: 'Next: check' }).click();
    await page.getByText('Go back to “Where” and correct it').waitFor();
    expect(fixture.server.requests.some(({ path }) => path === '/api/plan')).toBe(false);
  });

  it('take written names where the namespaces may not be listed', async () => {
    fixture.server.refusals.set('/api/namespaces', { status: 403, code: 'forbidden', message: 'no' });
    const page = await fixture.open('#/backups?new=1');
    await page.getByText('Separate names with commas').waitFor();
    await page.getByLabel('Namespaces').fill('shop, billing');
    await press(page, 'Back up');
    await expect.poll(() => sent().length).toBe(1);
    expect(sent()).toMatchObject([{ body: { spec: { includedNamespaces: ['shop', 'billing'] } } }]);
  });
});
