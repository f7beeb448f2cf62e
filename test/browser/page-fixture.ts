import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { builtPage } from '../../src/main/built/page.ts';
import { launchBrowser } from './browser.ts';
import { ScriptedPageServer } from './scripted-page-server.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const BUILD_MS = 120_000;

/** A browser for the file, a fresh server for each test; every test also fails on an error in the browser's console. */
export class PageFixture {
  #browser: Browser | undefined;
  #server: ScriptedPageServer | undefined;
  #pageDir = '';
  readonly #errors: string[] = [];

  get server(): ScriptedPageServer {
    if (this.#server === undefined) throw new Error('use the scripted server: no test runs');
    return this.#server;
  }

  use(): this {
    beforeAll(async () => {
      this.#pageDir = mkdtempSync(join(tmpdir(), 'headway-page-'));
      // A copy, because a build of newer sources takes the old one away.
      const built = await builtPage({ root: ROOT, signal: AbortSignal.timeout(BUILD_MS) });
      cpSync(built, this.#pageDir, { recursive: true });
      this.#browser = await launchBrowser();
    }, BUILD_MS);
    beforeEach(async () => {
      this.#errors.length = 0;
      this.#server = await new ScriptedPageServer(this.#pageDir).start();
    });
    afterEach(async () => {
      for (const context of this.#browser?.contexts() ?? []) await context.close();
      await this.#server?.stop();
      expect(this.#errors).toEqual([]);
    });
    afterAll(async () => {
      await this.#browser?.close();
      rmSync(this.#pageDir, { recursive: true, force: true });
    });
    return this;
  }

  /** With `now`, the browser's clock stands still, while its timers go on. */
  async open(place = '#/', { now, ...options }: BrowserContextOptions & { now?: number } = {}): Promise<Page> {
    if (this.#browser === undefined) throw new Error('open a page: the browser is not up');
    const viewport = { width: 1280, height: 800 };
    const context = await this.#browser.newContext({ viewport, timezoneId: 'Europe/Berlin', ...options });
    const page = await context.newPage();
    if (now !== undefined) await page.clock.setFixedTime(now);
    // Shorter than a test's, so that a failure names what was waited for.
    page.setDefaultTimeout(12_000);
    page.on('pageerror', (error) => this.#errors.push(error.message));
    page.on('console', (message) => {
      // The browser itself reports every answer that is no success; those are scripted.
      const isExpected = /^Failed to load resource/.test(message.text());
      if (message.type() === 'error' && !isExpected) this.#errors.push(message.text());
    });
    await page.goto(`${this.server.url}${place}`);
    return page;
  }
}

/** What axe finds, in words that name the element. */
export async function axeProblems(page: Page, rules?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (rules === undefined ? builder : builder.withRules(rules)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
