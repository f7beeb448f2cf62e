import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ProcessLock } from './process-lock.ts';

let directory = '';
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'headway-lock-'))));
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

it('is held by one, and free again when it is given back', () => {
  const file = join(directory, 'lock');
  const first = ProcessLock.tryTake(file);
  expect(first).toBeDefined();
  expect(ProcessLock.isHeld(file)).toBe(true);
  expect(ProcessLock.tryTake(file)).toBeUndefined();
  first?.[Symbol.dispose]();
  expect(ProcessLock.isHeld(file)).toBe(false);
});

it('dies with its holder', async () => {
  const file = join(directory, 'lock');
  const module = new URL('process-lock.ts', import.meta.url).href;
  const code = `import { ProcessLock } from ${JSON.stringify(module)}; globalThis.lock = ProcessLock.tryTake(${JSON.stringify(file)}); console.log('taken'); setInterval(() => {}, 1e6);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(ProcessLock.isHeld(file)).toBe(true);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(ProcessLock.isHeld(file)).toBe(false);
});

it('names a file that is no lock', () => {
  const file = join(directory, 'lock');
  writeFileSync(file, 'this is not a database, and long enough to be looked at'.repeat(20));
  expect(() => ProcessLock.tryTake(file)).toThrow(`cannot lock ${file}`);
});
