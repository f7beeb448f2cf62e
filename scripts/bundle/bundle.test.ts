import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inAscii } from './in-ascii.ts';
import { noCircles } from './no-circles.ts';
import { nodeByName } from './node-by-name.ts';
import { usedUndici } from './used-undici.ts';

const ROOT = join(import.meta.dirname, '../..');
/** A second undici inside of Node: what it needs before anybody has asked for `fetch`. */
const SECOND = `process.moduleLoadList.includes('NativeModule internal/deps/undici/undici')`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'headway-bundle-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

async function bundled(code: string, ...plugins: Plugin[]): Promise<string> {
  const input = join(directory, 'entry.mjs');
  writeFileSync(input, code);
  const output = { dir: join(directory, 'out'), format: 'esm', entryFileNames: 'entry.js' } as const;
  // As if it stood in this package.
  const inPackage: Plugin = { name: 'in-package', resolveId: (id) => (id === 'undici' ? undici : undefined) };
  await build({ input, platform: 'node', plugins: [...plugins, inPackage], logLevel: 'silent', output });
  return join(directory, 'out/entry.js');
}
const undici = join(ROOT, 'node_modules/undici/index.js');

function run(file: string, env: Record<string, string> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, [file], { timeout: 20_000, env: { ...process.env, ...env } });
  return `${stdout.toString()}${stderr.toString()}`.trim();
}

const IMPORTS = `
  import path, { join as joined, sep } from 'node:path';
  import * as url from 'node:url';
  import { createServer } from 'node:http';
  import 'node:events';
  const { Agent } = await import('node:http');
  console.log(joined('a', 'b') === ['a', 'b'].join(sep), path.basename('x/y'), typeof url.URL, typeof createServer, typeof Agent, ${SECOND});`;

it("takes from Node's modules what is used, in every form of an import, and loads no second undici for it", async () => {
  expect(run(await bundled(IMPORTS))).toBe('true y function function function true');
  expect(run(await bundled(IMPORTS, nodeByName))).toBe('true y function function function false');
});

it("refuses what Node's modules do not have, and knows their default by that name", async () => {
  await expect(bundled(`import { jion } from 'node:path'; jion();`, nodeByName)).rejects.toThrow('has no jion');
  const code = `import { default as path } from 'node:path'; console.log(path.basename('x/y'));`;
  expect(run(await bundled(code, nodeByName))).toBe('y');
});

it("hands nothing of Node's modules on, because nobody would see that it is not by name", async () => {
  await expect(bundled(`export { join } from 'node:path';`, nodeByName)).rejects.toThrow('expected only imports');
});

const REQUESTS = `
  import { createServer } from 'node:http';
  import { Agent, ProxyAgent } from 'undici';
  const server = createServer((request, response) => request.pipe(response)).listen(0, '127.0.0.1', async () => {
    const origin = 'http://127.0.0.1:' + server.address().port;
    const agent = new Agent();
    const { statusCode, body } = await agent.request({ origin, path: '/', method: 'POST', body: 'hello' });
    console.log(statusCode, await body.text(), typeof ProxyAgent);
    await agent.close();
    server.close();
  });`;

it('has of undici what sends requests, and not the rest', async () => {
  const file = await bundled(REQUESTS, usedUndici(ROOT), nodeByName);
  expect(run(file)).toBe('200 hello function');
  await expect(bundled(`import { fetch } from 'undici'; fetch;`, usedUndici(ROOT))).rejects.toThrow('"fetch"');
});

it('says that a part is left out, however often it is asked for', async () => {
  const file = await bundled(REQUESTS, usedUndici(ROOT), nodeByName);
  expect(run(file, { UNDICI_USE_MILO: '1' })).toContain('this part of undici is not in the bundle');
  const form = REQUESTS.replace(`body: 'hello'`, 'body: new FormData()');
  expect(run(await bundled(form, usedUndici(ROOT)))).toContain('this part of undici is not in the bundle');
});

it('refuses chunks that need each other', () => {
  const chunk = (...imports: string[]): object => ({ type: 'chunk', imports });
  const check = (bundle: object): void => {
    (noCircles.generateBundle as (options: object, bundle: object) => void)({}, bundle);
  };
  const line = { a: chunk('b', 'c', 'node:path'), b: chunk('c'), c: chunk() };
  check(line);
  expect(() => {
    check({ ...line, c: chunk('a') });
  }).toThrow('a > b > c > a');
});

it('writes characters beyond ASCII as escapes', async () => {
  const file = await bundled(`console.log('ü…😀', \`ß\`, /é/.test('é'));`, inAscii);
  expect(run(file)).toBe('ü…😀 ß true');
  const { stdout } = spawnSync('grep', ['-cP', '[^\\x00-\\x7f]', file]);
  expect(stdout.toString().trim()).toBe('0');
});
