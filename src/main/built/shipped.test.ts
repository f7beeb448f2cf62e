import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../root.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headway-shipped-'));
  cpSync(join(ROOT, 'bin'), join(root, 'bin'), { recursive: true });
  write('package.json', '{ "type": "module" }');
  for (const name of ['headway', 'mover', 'kando']) write(`src/main/${name}.ts`, says(`${name}, its sources`));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function says(text: string): string {
  return `console.log(${JSON.stringify(text)});`;
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', program), ...args], { env });
  return `${stdout.toString()}${stderr.toString()}`.trim();
}

it('has its programs as bundles, and runs those', () => {
  for (const name of ['headway', 'mover', 'kando']) write(`dist/program/${name}.js`, says(`${name}, a bundle`));
  expect(run('headway.js', ['mover', 'job.json'])).toBe('mover, a bundle');
  expect(run('headway.js', ['mover', '--help'])).toBe('headway, a bundle');
  expect(run('headway.js', ['server'])).toBe('headway, a bundle');
  expect(run('kando.js', ['location'])).toBe('kando, a bundle');
  expect(run('headway.js', ['mover', 'job.json'], { HEADWAY_SOURCES: '1' })).toBe('mover, its sources');
});

it('runs the sources where they are all there is', () => {
  expect(run('headway.js', ['mover', 'job.json'])).toBe('mover, its sources');
  expect(run('kando.js', [])).toBe('kando, its sources');
});
