import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programPath, programToRun } from './program.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headway-program-'));
  write('src/main/headway.ts', 'export {};');
  for (const file of ['package.json', 'package-lock.json']) write(file, '{}');
  write('scripts/bundle.ts', '');
  write('scripts/bundle/plugin.ts', '');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const unexpected = {
  say: (text: string): void => {
    throw new Error(`nothing is to be said: ${text}`);
  },
};

it('runs the bundle that was shipped', async () => {
  write('dist/program/headway.js', '');
  expect(await programToRun(root, unexpected)).toBe(join(root, 'dist/program/headway.js'));
});

it('runs the sources where there is neither a bundle nor a bundler', async () => {
  expect(await programToRun(root, unexpected)).toBe(join(root, 'src/main/headway.ts'));
});

it('takes another bundle when a source or a plugin of the bundler has changed, and not when a test has', () => {
  write('node_modules/rolldown/package.json', '{}');
  const before = programPath(root);
  write('src/main/some.test.ts', 'export {};');
  expect(programPath(root)).toBe(before);
  write('src/main/headway.ts', 'export const changed = true;');
  const changed = programPath(root);
  expect(changed).not.toBe(before);
  write('scripts/bundle/plugin.ts', 'export const changed = true;');
  expect(programPath(root)).not.toBe(changed);
});

it('bundles what was not bundled before, and says so; after that it is found', async () => {
  // Makes what the real one would make, where it is told to.
  const bundler = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    const directory = process.argv[2];
    mkdirSync(directory, { recursive: true });
    writeFileSync(directory + '/headway.js', '');`;
  write('node_modules/rolldown/package.json', '{}');
  write('scripts/bundle.ts', bundler);
  const said: string[] = [];
  const path = await programToRun(root, { say: (text) => said.push(text) });
  expect(path).toBe(join(programPath(root), 'headway.js'));
  expect(await programToRun(root, unexpected)).toBe(path);
  expect(said).toEqual([expect.stringContaining('are bundled')]);
});

it('says what the bundler said when it fails', async () => {
  write('node_modules/rolldown/package.json', '{}');
  write('scripts/bundle.ts', `console.error('no such entry'); process.exit(3);`);
  await expect(programToRun(root, { say: () => undefined })).rejects.toThrow(
    /build the program: it ended with 3\nno such entry/,
  );
});

it('runs the sources where the bundle cannot be stored, and says so', async () => {
  write('node_modules/rolldown/package.json', '{}');
  // Also root cannot make a directory here.
  symlinkSync('/sys', join(root, '.cache'));
  const said: string[] = [];
  const path = await programToRun(root, { say: (text) => said.push(text) });
  expect(path).toBe(join(root, 'src/main/headway.ts'));
  expect(said.at(-1)).toContain('cannot be stored');
});
