import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { needsBrowser } from './browser.ts';
import { axeProblems, PageFixture } from './page-fixture.ts';
import { BLUEPRINT_PLACE } from './sample-blueprints.ts';
import { BACKUP_ID, fillSample } from './sample-cluster.ts';
import { fillKinds } from './sample-kinds.ts';
import { object } from './sample-object.ts';

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
    await page.getByLabel('Data of volumes').selectOption('copy the files of all volumes');
    await page.getByLabel('Verify volumes').check();
    await page.getByText('Hooks: commands to run in pods').click();
    await page.getByLabel('Before a pod is backed up').fill('fsfreeze --freeze /data');
    await page.getByLabel('In pods with labels').fill('app=db');
    await press(page, 'Preview');
    await page.getByText('1 814 items of 2 types').waitFor();
    await page.getByText('The data of 1 claim will be copied').waitFor();
    await page.getByText('The data of 1 claim will not be copied: no running pod mounts it').waitFor();
    expect(sent()).toEqual([]);
    await press(page, 'Back up');
    await page.waitForURL(/operations/);
    const exec = { command: ['/bin/sh', '-c', 'fsfreeze --freeze /data'], onError: 'Fail' };
    expect(sent()).toMatchObject([
      {
        path: '/api/backups',
        body: {
          metadata: { name: 'before-upgrade', annotations: { 'headway.io/verify-volumes': 'true' } },
          spec: {
            defaultVolumesToFsBackup: true,
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

  it.each(SIZES)(
    'run an action of a Blueprint, after a dry run that shows what each phase is told, %s',
    async (_, at) => {
      fillSample(fixture.server);
      const page = await fixture.open(BLUEPRINT_PLACE, at);
      await page.getByText('unlock').first().click();
      await page.getByText('contaner').last().waitFor();
      await page.getByRole('button', { name: 'Run backup…' }).click();
      await page.getByLabel('Name', { exact: true }).fill('once');
      expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
      await page.getByLabel('Name of the object').fill('mysql');
      await page.getByText('Fill in what the Blueprint needs: login.').waitFor();
      await page.getByLabel('Secret login').fill('root');
      await page.getByLabel('Profile').fill('other/s3');
      await page.getByText('Options, other secrets and config maps').click();
      await page.getByLabel('Options', { exact: true }).fill('level=3\nwhere=a b');
      await press(page, 'Preview');
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('dump', { exact: true }).click();
      await preview.getByText('mysqldump -u root -p***', { exact: false }).waitFor();
      await preview.getByText('(known when it runs: what phase dump returns)').waitFor();
      await preview.getByText('✕ no such pod').waitFor();
      expect(await axeProblems(page)).toEqual([]);
      expect(sent()).toEqual([]);
      await press(page, 'Run');
      await page.waitForURL(/operations\/demo\.actionset\.shop\.once/);
      expect(sent()).toEqual([
        {
          method: 'POST',
          path: '/api/actionsets',
          body: {
            apiVersion: 'cr.kanister.io/v1alpha1',
            kind: 'ActionSet',
            metadata: { namespace: 'shop', name: 'once' },
            spec: {
              actions: [
                {
                  name: 'backup',
                  blueprint: 'mysql-blueprint',
                  object: { kind: 'StatefulSet', namespace: 'shop', name: 'mysql' },
                  profile: { namespace: 'other', name: 's3' },
                  secrets: { login: { namespace: 'shop', name: 'root' } },
                  options: { level: '3', where: 'a b' },
                },
              ],
            },
          },
        },
      ]);
    },
  );

  it('take the artifacts of an earlier action set, and its object', async () => {
    fillKinds(fixture.server);
    const page = await fixture.open(`${BLUEPRINT_PLACE}?run=restore`);
    await page.getByText('Choose the action set whose artifacts are needed.').waitFor();
    const done = object('ActionSet', 'mysql-done', {
      spec: { actions: [{ name: 'backup', blueprint: 'mysql-blueprint', options: { level: '3' } }] },
      status: {
        state: 'complete',
        actions: [
          {
            name: 'backup',
            object: { kind: 'statefulset', namespace: 'shop', name: 'mysql' },
            artifacts: { dump: { keyValue: { path: 'x' } } },
            phases: [{ name: 'dump', state: 'complete' }],
          },
        ],
      },
    });
    fixture.server.apply('demo', done);
    await page.getByLabel('Artifacts from').selectOption({ label: 'mysql-done (backup)' });
    await press(page, 'Run');
    await expect.poll(() => sent().length).toBe(1);
    expect(sent()).toMatchObject([
      {
        body: {
          spec: {
            actions: [
              {
                name: 'restore',
                object: { kind: 'statefulset', namespace: 'shop', name: 'mysql' },
                options: { level: '3' },
                artifacts: { dump: { keyValue: { path: 'x' } } },
              },
            ],
          },
        },
      },
    ]);
  });

  it('say in the wizard whose data comes back, by what, and why the rest does not', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/restore/${BACKUP_ID}?step=where`);
    await page.getByLabel('Verify volumes').check();
    await page.getByRole('button', { name: 'Next: check' }).click();
    await page.getByText('The data of 2 claims will be restored, 5.0 GiB').click();
    await page.getByText('by kopia, 4.4 GiB').waitFor();
    await page.getByText('The data of 1 claim will not be restored: its data is not in the backup').waitFor();
    await press(page, 'Restore');
    await expect.poll(() => sent().length).toBe(1);
    expect(sent()).toMatchObject([{ body: { metadata: { annotations: { 'headway.io/verify-volumes': 'true' } } } }]);
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
