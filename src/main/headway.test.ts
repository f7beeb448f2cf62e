import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('headway.ts', import.meta.url));
/** Prints at the end which npm packages were loaded. */
const WATCH = `data:text/javascript,
  import { registerHooks } from 'node:module';
  const loaded = new Set();
  registerHooks({
    load(url, context, next) {
      loaded.add(url.match(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/)?.[1]);
      return next(url, context);
    },
  });
  process.on('exit', () => process.stderr.write([...loaded].filter(Boolean).join()));`;

// What a start costs is what it loads, and --help may take 150 ms in all.
it.each([['--help'], ['--version'], ['backup', 'create', '--help']])(
  'loads only what it needs for %s',
  async (...args) => {
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', WATCH, MAIN, ...args]);
    expect(stderr).toBe('commander');
  },
);
