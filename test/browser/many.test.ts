import { describe, expect, it } from 'vitest';
import { needsBrowser } from './browser.ts';
import { PageFixture } from './page-fixture.ts';
import { completed, running } from './sample-operations.ts';

const need = await needsBrowser();
const MANY = 10_000;

describe.skipIf(need.missing)(need.title('ten thousand operations'), () => {
  const fixture = new PageFixture().use();

  function fill(count: number): void {
    for (let at = 0; at < count; at += 1) {
      const name = `op-${String(at).padStart(5, '0')}`;
      fixture.server.put(at < count / 10 ? running('Backup', name, at) : completed('Backup', name, at));
    }
  }

  /** From the beginning of the navigation to the rows, the best of three: what else the machine does is not the page's. */
  async function shownAfter(): Promise<number> {
    const times: number[] = [];
    for (let visit = 0; visit < 3; visit += 1) {
      const page = await fixture.open();
      await page.getByRole('region', { name: 'Running now' }).waitFor();
      times.push(await page.evaluate<number>('performance.now()'));
      await page.context().close();
    }
    return Math.min(...times);
  }

  it('are painted within a second more than ten would be, and are all there soon after', async () => {
    fill(10);
    const few = await shownAfter();
    fill(MANY);
    const many = await shownAfter();
    console.log(`rows shown after ${many.toFixed(0)} ms with 10 000 operations, ${few.toFixed(0)} ms with 10`);
    expect(many - few).toBeLessThan(1000);
    const page = await fixture.open();
    await page.getByText('All operations (10 000)').waitFor();
  }, 60_000);

  it('have only the rows in view in the document, down to the last one', async () => {
    fill(MANY);
    const page = await fixture.open('#/backups?sort=name');
    await page.getByRole('heading', { name: 'Backups (10 000)' }).waitFor();
    const rows = page.getByRole('row');
    expect(await rows.count()).toBeLessThan(60);
    await page.getByRole('rowgroup').evaluate((list: Scroller) => {
      list.scrollTo(0, list.scrollHeight);
    });
    await page.getByRole('link', { name: 'op-09999' }).waitFor();
    expect(await rows.count()).toBeLessThan(60);
  }, 60_000);
});

/** A part of an element, which Node's types do not know. */
interface Scroller {
  scrollHeight: number;
  scrollTo: (x: number, y: number) => void;
}
