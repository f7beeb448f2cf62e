import sparticuz from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import type { Need } from '../bed/require.ts';

const DEBIAN = '/usr/bin/chromium';

/** For `describe.skipIf(need.missing)(need.title('…'), …)`; HEADWAY_REQUIRE knows it as `browser`. */
export async function needsBrowser(): Promise<Need> {
  const reason = (await launches()) ? undefined : 'no Chromium starts here, install Debian’s: apt install chromium';
  const required = (process.env['HEADWAY_REQUIRE'] ?? '').split(/[,\s]+/).includes('browser');
  if (reason !== undefined && required) throw new Error(`HEADWAY_REQUIRE=browser, but ${reason}`);
  return {
    missing: reason !== undefined,
    title: (name) => (reason === undefined ? name : `${name} (skipped: ${reason})`),
  };
}

async function launches(): Promise<boolean> {
  try {
    const browser = await launchBrowser();
    await browser.close();
    return true;
  } catch {
    // Whatever it is that is missing, the reason above names what helps.
    return false;
  }
}

/** npm's Chromium, which unpacks itself; Debian's where that one does not start. */
export async function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];
  try {
    return await chromium.launch({ executablePath: await sparticuz.executablePath(), args });
  } catch (error) {
    if (!existsSync(DEBIAN)) throw error;
    return await chromium.launch({ executablePath: DEBIAN, args });
  }
}
