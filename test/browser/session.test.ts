import { describe, expect, it } from 'vitest';
import { needsBrowser } from './browser.ts';
import { PageFixture } from './page-fixture.ts';
import { LOGGED_OUT } from './sample-answers.ts';
import { BACKUP_ID, fillSample, RESTORE_ID } from './sample-cluster.ts';

const need = await needsBrowser();

describe.skipIf(need.missing)(need.title('who may see the page'), () => {
  const fixture = new PageFixture().use();

  it('logs in with a token, and then is where the address says', async () => {
    fillSample(fixture.server);
    fixture.server.session = LOGGED_OUT;
    const page = await fixture.open('#/locations');
    await page.getByRole('heading', { name: 'Log in to Headway' }).waitFor();
    await page.getByText('kubectl config view --raw --minify').waitFor();
    await page.getByLabel('Token').fill('  secret-token ');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Locations (2)' }).waitFor();
    const sent = fixture.server.requests.find(({ path }) => path === '/api/login');
    expect(JSON.parse(sent?.body ?? '')).toEqual({ token: 'secret-token', cluster: 'demo' });
    expect(fixture.server.requests.some(({ path }) => path.includes('secret-token'))).toBe(false);
  });

  it('says why a token is not taken', async () => {
    fixture.server.session = LOGGED_OUT;
    fixture.server.refusals.set('/api/login', {
      status: 401,
      code: 'unauthenticated',
      message: 'the cluster does not know this token',
    });
    const page = await fixture.open();
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('The cluster does not know this token.').waitFor();
  });

  it('says why a link did not let one in, and where the next one is', async () => {
    const [cluster] = LOGGED_OUT.clusters;
    fixture.server.session = { ...LOGGED_OUT, clusters: [{ ...cluster!, login: 'link' }] };
    const page = await fixture.open('?login=used');
    await page.getByRole('alert').getByText('This link has already been used').waitFor();
    await page.getByText('newest login link from the terminal').waitFor();
    await page.goto(`${fixture.server.url}?login=refused`);
    await page.getByRole('alert').getByText('This link is not valid').waitFor();
    expect(await page.getByText('been used').count()).toBe(0);
    await page.goto(fixture.server.url);
    await page.getByRole('heading', { name: 'Log in to Headway' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('asks to log in again when the session has ended', async () => {
    fillSample(fixture.server);
    const page = await fixture.open();
    await page.getByText('live', { exact: true }).waitFor();
    fixture.server.refusals.set('/api/events', {
      status: 401,
      code: 'unauthenticated',
      message: 'the session has ended',
    });
    await fixture.server.stop();
    await fixture.server.start();
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    fixture.server.refusals.clear();
    await page.getByLabel('Token').fill('again');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
  });

  it('says what one may not see, and what to do about it', async () => {
    fillSample(fixture.server);
    const message = 'look into nightly-14: user anna may not create downloadrequests.velero.io in namespace velero';
    fixture.server.refusals.set(`/api/backups/${BACKUP_ID}/contents`, { status: 403, code: 'forbidden', message });
    const page = await fixture.open(`#/backups/${BACKUP_ID}`);
    const alert = page.getByRole('alert');
    await alert.getByText('You are not allowed to see this').waitFor();
    expect(await alert.textContent()).toContain('may not create downloadrequests.velero.io');
  });

  it('says so when one may not watch operations at all', async () => {
    fixture.server.refusals.set('/api/events', {
      status: 403,
      code: 'forbidden',
      message: 'anna may not list backups',
    });
    const page = await fixture.open();
    await page.getByText('You are not allowed to see operations here').waitFor();
    await page.getByText('Anna may not list backups.').waitFor();
    fixture.server.refusals.clear();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('live', { exact: true }).waitFor();
  });

  it('keeps the dialog open with the reason when a cancel is refused', async () => {
    fillSample(fixture.server);
    fixture.server.refusals.set(`/api/operations/${RESTORE_ID}/cancel`, {
      status: 403,
      code: 'forbidden',
      message: 'anna may not patch restores',
    });
    const page = await fixture.open(`#/operations/${RESTORE_ID}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByRole('dialog').getByText('Anna may not patch restores.').waitFor();
  });

  it('forgets everything at log-out', async () => {
    fillSample(fixture.server);
    const page = await fixture.open();
    await page.getByText('live', { exact: true }).waitFor();
    fixture.server.session = LOGGED_OUT;
    await page.getByRole('button', { name: /Log out/ }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.locator('body').textContent()).not.toContain('orders');
    expect(fixture.server.requests.some(({ method, path }) => method === 'POST' && path === '/api/logout')).toBe(true);
  });
});
