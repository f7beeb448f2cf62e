import { describe, expect, it } from 'vitest';
import { exact } from '../../src/core/progress/index.ts';
import { needsBrowser } from './browser.ts';
import { cutOff } from './cut-off.ts';
import { PageFixture } from './page-fixture.ts';
import { completed, operation, running } from './sample-operations.ts';

const need = await needsBrowser();

describe.skipIf(need.missing)(need.title('what the page says is so'), () => {
  const fixture = new PageFixture().use();

  it('marks a backup and a restore without volume data wherever they are shown', async () => {
    for (const kind of ['Backup', 'Restore'] as const) {
      const whole = completed(kind, 'demo');
      const report = { ...whole.report, measures: [{ unit: 'items' as const, done: 213_545, total: exact(213_545) }] };
      fixture.server.put({ ...whole, report, facts: { ...whole.facts, claimsWithoutData: 18 } });
    }
    const page = await fixture.open();
    // Where its state is shown in each place: there, nothing may be green.
    const places = {
      '#/': 'section:has(h2:text("Recent"))',
      '#/operations': '[role=table]',
      '#/backups': '[role=table]',
      '#/restores': '[role=table]',
      '#/backups/demo.backup.velero.demo': 'dl',
      '#/operations/demo.backup.velero.demo': 'header > div',
      '#/operations/demo.restore.velero.demo': 'header > div',
    };
    for (const [place, where] of Object.entries(places)) {
      await page.goto(`${fixture.server.url}${place}`);
      const shown = page.locator('main').locator(where).first();
      await shown.getByText('without volume data (18)').first().waitFor();
      expect(await shown.locator('svg[class*=ok]').count(), place).toBe(0);
      expect(await shown.locator('svg[class*=warn]').count(), place).toBeGreaterThan(0);
      const mark = shown.getByText('without volume data (18)').first();
      // Whatever stands beside it, it is not cut off.
      expect(await cutOff(mark.locator('..')), place).toBe(0);
    }
  });

  it('opens what failed on its problems, the root cause first, and shows no stage green in which items failed', async () => {
    const group = (what: string, count: number, why: string) => ({
      level: 'error' as const,
      count,
      text: `error restoring ${what}: ${why}`,
      examples: [`error restoring ${what}: ${why}`],
    });
    const notFound = 'namespaces "gone" not found';
    fixture.server.put(
      operation('Restore', 'all-wrong', {
        phase: 'PartiallyFailed',
        endedAt: new Date().toISOString(),
        seconds: 4,
        errors: 1663,
        sentence: 'Restored 0 of 1 663 items in 4 s; 1 663 items failed',
        problems: [
          group('namespaces gone', 1, 'exceeded quota'),
          group('configmaps (1000)', 1000, notFound),
          group('secrets (662)', 662, notFound),
        ],
        report: {
          state: 'partiallyFailed',
          measures: [{ unit: 'items', done: 1663, total: exact(1663) }],
          counts: { created: 0, updated: 0, skipped: 0, failed: 1663 },
        },
      }),
    );
    const page = await fixture.open('#/operations/demo.restore.velero.all-wrong');
    await page.getByText('Fix this first: Error restoring namespaces gone: exceeded quota.').waitFor();
    expect(await page.getByRole('tab', { name: 'Problems' }).getAttribute('aria-selected')).toBe('true');
    const restoring = page.getByRole('list', { name: 'Steps' }).getByText('restoring');
    expect(await restoring.locator('..').locator('svg').getAttribute('class')).toMatch(/bad/);
    await page.getByText('1 663 failed', { exact: false }).first().waitFor();
    expect(await page.locator('article > header').textContent()).not.toContain('%');
  });

  it('never calls a failed backup starting, and does not say that nothing was listed', async () => {
    fixture.server.put(
      operation('Backup', 'refused', {
        phase: 'FailedValidation',
        sentence: 'Refused: location "gone" does not exist',
        report: { state: 'failed' },
      }),
    );
    const page = await fixture.open('#/operations');
    await page.getByText('Refused: location "gone" does not exist').waitFor();
    expect(await page.getByText('starting').count()).toBe(0);
    await page.goto(`${fixture.server.url}#/operations/demo.backup.velero.refused?tab=items`);
    await page.getByRole('tab', { name: 'Items by kind' }).waitFor();
    expect(await page.getByText('before the first ones were listed').count()).toBe(0);
  });

  it('draws a chart with axes that a reload does not lose', async () => {
    const id = 'demo.restore.velero.orders-copy';
    for (const done of [100, 200, 300, 400]) {
      fixture.server.put(running('Restore', 'orders-copy', done));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const page = await fixture.open(`#/operations/${id}`);
    const chart = page.getByRole('img', { name: 'Throughput over time, up to 812/s' });
    const points = async () => (await chart.locator('path').last().getAttribute('d'))?.split('L').length;
    await chart.getByText('1 000/s').waitFor();
    await chart.getByText('0 s', { exact: true }).waitFor();
    expect(await points()).toBe(4);
    await page.reload();
    await chart.waitFor();
    expect(await points()).toBe(4);
  });

  it('has tables whose rows are as wide as their head, and marks in the rail where one is', async () => {
    for (let at = 0; at < 60; at += 1) fixture.server.put(completed('Restore', `r-${String(at)}`, at));
    const page = await fixture.open('#/restores');
    const rows = page.getByRole('row');
    await rows.nth(1).waitFor();
    const cells = async (row: number): Promise<string[]> => {
      const boxes = await rows.nth(row).locator('> *').all();
      const edges = await Promise.all(boxes.map((box) => box.boundingBox()));
      return edges.map((edge) => `${String(edge?.x)} ${String(edge?.width)}`);
    };
    expect(await cells(1)).toEqual(await cells(0));
    expect((await rows.nth(1).boundingBox())?.width).toBe((await rows.nth(0).boundingBox())?.width);
    const here = page.getByRole('navigation').locator('[aria-current=page]');
    expect(await here.textContent()).toBe('Restores');
    await page.getByRole('link', { name: 'restore/r-3' }).first().click();
    await page.getByRole('heading', { name: 'restore/r-3' }).waitFor();
    expect(await here.textContent()).toBe('Restores');
  });

  it('paints inputs and tabs in the colours of the dark theme', async () => {
    fixture.server.put(completed('Backup', 'a'));
    const page = await fixture.open('#/backups', { colorScheme: 'dark' });
    const colourOf = (selector: string, property: string) => page.locator(selector).first().evaluate(colour, property);
    await page.getByLabel('Filter by name').waitFor();
    expect(await colourOf('main input', 'background-color')).toBe('rgb(32, 38, 47)');
    await page.goto(`${fixture.server.url}#/operations/demo.backup.velero.a`);
    await page.getByRole('tab').first().waitFor();
    expect(await colourOf('[role=tab][aria-selected=true]', 'border-bottom-color')).toBe('rgb(58, 99, 207)');
  });
});

/** Runs in the page, whose types Node does not know. */
function colour(element: unknown, property: string): string {
  const { getComputedStyle } = globalThis as unknown as {
    getComputedStyle: (of: unknown) => { getPropertyValue: (name: string) => string };
  };
  return getComputedStyle(element).getPropertyValue(property);
}
