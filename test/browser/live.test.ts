import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { needsBrowser } from './browser.ts';
import { PageFixture } from './page-fixture.ts';
import { BACKUP_ID, fillSample, RESTORE_ID, STALLED_ID } from './sample-cluster.ts';
import { SESSION } from './sample-answers.ts';
import { completed, operation, running } from './sample-operations.ts';

const need = await needsBrowser();

describe.skipIf(need.missing)(need.title('the page, live'), () => {
  const fixture = new PageFixture().use();

  it('follows an operation to its end, and its percent never falls', async () => {
    const { server } = fixture;
    server.put(running('Restore', 'orders-copy', 100));
    const page = await fixture.open(`#/operations/${RESTORE_ID}`);
    const bar = page.getByRole('progressbar');
    const seen: number[] = [];
    const look = async (): Promise<void> => {
      seen.push(Number(await bar.getAttribute('aria-valuenow')));
    };
    // The server goes back once, as one does whose watch is behind.
    for (const done of [400, 900, 700, 1653, 2400]) {
      server.put(running('Restore', 'orders-copy', done));
      const least = Math.max(...seen, 0);
      await eventually(async () => {
        await look();
        expect(seen.at(-1)).toBeGreaterThanOrEqual(done === 700 ? least : Math.floor((done * 100) / 2431));
      });
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(98);
    server.put(completed('Restore', 'orders-copy', 0));
    await page.getByText('Restored 2 431 items in 3.1 s.').waitFor();
    expect(await bar.getAttribute('aria-valuenow')).toBe('100');
    expect(await page.locator('[role=status]', { hasText: 'restore/orders-copy completed' }).count()).toBe(1);
  });

  it('shows what is stalled first, since when, why, and what to try', async () => {
    fillSample(fixture.server);
    const page = await fixture.open();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('restore/orders').waitFor();
    expect(await attention.textContent()).toContain('stalled 3 min · location default cannot be reached');
    const first = page.getByRole('region', { name: 'Running now' }).getByRole('listitem').first();
    expect(await first.textContent()).toContain('restore/orders');
    await attention.getByText('restore/orders').click();
    const stall = page.getByRole('group', { name: 'Stalled' });
    await stall.getByText('without progress').waitFor();
    expect(await stall.textContent()).toContain('Try: kubectl -n velero describe backupstoragelocation default');
    expect(page.url()).toContain(STALLED_ID);
  });

  it('shows no percent and no time left while the total is unknown', async () => {
    fillSample(fixture.server);
    const page = await fixture.open('#/operations/demo.backup.velero.nightly-16');
    const head = page.locator('article > header');
    await head.waitFor();
    expect(await head.textContent()).not.toMatch(/%|left/);
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('1 653 items');
  });

  it('asks before it cancels, and sends the right request', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/operations/${RESTORE_ID}`);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('what it had restored by then stays in the cluster').waitFor();
    expect(fixture.server.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel it' }).click();
    await page.getByRole('button', { name: 'Canceling…' }).waitFor();
    const [sent] = fixture.server.requests.filter(({ method }) => method === 'POST');
    expect(sent?.path).toBe(`/api/operations/${RESTORE_ID}/cancel`);
    expect(sent?.headers['x-csrf-token']).toBe('csrf-of-this-session');
  });

  it('shows within three seconds that the server was killed, and goes on when it is back', async () => {
    const { server } = fixture;
    server.put(running('Restore', 'orders-copy', 1000));
    const page = await fixture.open(`#/operations/${RESTORE_ID}`);
    await page.getByText('live', { exact: true }).waitFor();
    await server.stop();
    await page.getByText('reconnecting').waitFor();
    await page.getByRole('heading', { name: 'restore/orders-copy' }).waitFor();
    server.put(running('Restore', 'orders-copy', 2000));
    await server.start();
    await page.getByText('live', { exact: true }).waitFor();
    await eventually(async () => {
      expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('82');
    });
  });

  it('shows that nothing comes any more on a connection that stays open', async () => {
    fillSample(fixture.server);
    const page = await fixture.open();
    await page.getByText('live', { exact: true }).waitFor();
    fixture.server.silence();
    // It allows 2.7 s of silence; a browser on a busy machine takes longer to say so.
    await page.getByText('reconnecting').waitFor({ timeout: 15_000 });
  });

  it('keeps what it has read while the server is away, but no time left, and reads a log on that broke', async () => {
    const { server } = fixture;
    server.isLogOpen = true;
    server.put(running('Restore', 'orders-copy', 1000));
    const page = await fixture.open(`#/operations/${RESTORE_ID}?tab=log`);
    const head = page.locator('article > header');
    await head.getByText('left').waitFor();
    await page.getByText(/^\d+ lines$/).waitFor();
    await server.stop();
    await page.getByText('reconnecting').waitFor();
    await page.getByText('No news for').waitFor();
    await page.getByText('connection lost').waitFor();
    expect(await head.textContent()).toMatch(/41 %/);
    expect(await head.textContent()).not.toMatch(/left/);
    expect(await page.getByText('The server is not responding').count()).toBe(0);
    await server.start();
    await head.getByText('left').waitFor();
    await page.getByText(/^\d+ lines$/).waitFor();
  });

  it('says which cluster the server cannot see, and shows no rate and no time left of what runs there', async () => {
    const { server } = fixture;
    server.put(running('Restore', 'orders-copy', 1000));
    const page = await fixture.open();
    const row = page.getByRole('region', { name: 'Running now' }).getByRole('listitem').first();
    await row.getByText('left').waitFor();
    server.unseen = [{ cluster: 'demo', since: new Date(Date.now() - 12_000).toISOString() }];
    await page.getByText('demo has not responded').waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText(/is not responding; what you see of it is \d+ s old/).waitFor();
    expect(await row.textContent()).not.toMatch(/left|\/s/);
    server.unseen = [];
    await page.getByText('live', { exact: true }).waitFor();
    await row.getByText('left').waitFor();
    expect(await page.getByText(/not respond/).count()).toBe(0);
  });

  it('says what waits and why, and in which cluster nobody leads', async () => {
    const { server } = fixture;
    const cause = 'restore first is ahead and goes into the same namespace, shop';
    const waits = [{ cause, since: new Date(Date.now() - 30_000).toISOString() }];
    server.put(operation('Restore', 'second', { phase: 'New', report: { state: 'pending', waits } }));
    const problem = 'no Headway answers in this cluster (no leader for 42 s): leases is forbidden';
    const [cluster] = SESSION.clusters;
    server.session = { ...SESSION, clusters: [{ ...cluster!, problem }] };
    const page = await fixture.open();
    await page.getByText('Nothing goes on in cluster demo').waitFor();
    await page.getByText('No Headway answers in this cluster (no leader for 42 s): leases is forbidden').waitFor();
    await page.getByText(`waiting: ${cause}`).waitFor();
    await page.getByRole('link', { name: 'restore/second' }).first().click();
    await page.getByRole('list', { name: 'Waiting for' }).getByText(cause).waitFor();
  });

  it('tells times by the clock of the server, whatever the clock of the phone says', async () => {
    const { server } = fixture;
    const [hour, now] = [3_600_000, Date.now()];
    server.aheadMs = -hour;
    const operation = running('Restore', 'orders-copy', 1000);
    const { report } = operation;
    const lastProgressAt = new Date(now - hour).toISOString();
    server.put({ ...operation, report: { ...report, lastProgressAt } });
    const page = await fixture.open(`#/operations/${RESTORE_ID}`);
    await page.getByText('Moving').waitFor();
    expect(await page.getByText('No change for').count()).toBe(0);
  });

  it('says so when what is looked at was deleted', async () => {
    fixture.server.put(completed('Backup', 'gone'));
    const page = await fixture.open('#/operations/demo.backup.velero.gone');
    await page.getByText('Items by kind').waitFor();
    fixture.server.remove('demo.backup.velero.gone');
    await page.getByText('It may have been deleted').waitFor();
  });

  it('comes back to the same place after a reload', async () => {
    fillSample(fixture.server);
    const page = await fixture.open(`#/backups/${BACKUP_ID}`);
    await page.getByRole('button', { name: 'shop 240' }).click();
    await page.getByLabel('Filter items').fill('secret-1');
    await page.getByText('11 items').waitFor();
    await page.reload();
    await page.getByText('11 items').waitFor();
    expect(await page.getByRole('button', { name: 'shop 240' }).getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('Filter items').inputValue()).toBe('secret-1');
  });

  it('follows a list of files that a mover makes, also over a server that is away', async () => {
    const { server } = fixture;
    fillSample(server);
    server.listing = { seconds: 1, entries: 0, waitsFor: 'pod velero/headway-list-1 has to start' };
    const page = await fixture.open(`#/backups/${BACKUP_ID}?tab=volumes&volume=v`);
    await page.getByText('with kopia: 1 s, pod velero/headway-list-1 has to start').waitFor();
    server.listing = { seconds: 7, entries: 12_345 };
    await page.getByText('A mover lists the files with kopia: 7 s, 12 345 so far').waitFor();
    await server.stop();
    server.listing = undefined;
    await server.start();
    await page.getByText('base/1/1259').waitFor();
  });
});
