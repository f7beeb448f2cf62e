import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import { EndedLogs } from './ended-logs.ts';

const root = mkdtempSync(join(tmpdir(), 'headway-ended-'));
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(root, 'logs-'));
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

function logged(text: string): string {
  const path = join(directory, 'one.log');
  writeFileSync(path, text);
  return path;
}

it('keeps the last lines, whole', async () => {
  const logs = new EndedLogs(directory, recordingLog());
  await logs.keep('short', logged('one\ntwo\n'));
  expect((await logs.read('short'))?.toString()).toBe('one\ntwo\n');
  const line = `${'x'.repeat(99)}\n`;
  await logs.keep('long', logged(line.repeat(5_000)));
  const kept = (await logs.read('long'))?.toString() ?? '';
  expect(kept.length).toBeGreaterThan(256 * 1024 - 200);
  expect(kept.length).toBeLessThanOrEqual(256 * 1024);
  expect(new Set(kept.split('\n'))).toEqual(new Set(['x'.repeat(99), '']));
});

it('knows nothing of what was not kept, and fails nothing', async () => {
  const log = recordingLog();
  const logs = new EndedLogs(directory, log);
  expect(await logs.read('none')).toBeUndefined();
  await logs.keep('none', join(directory, 'missing.log'));
  expect(log.lines.map(({ message }) => message)).toEqual(['log of an operation that has ended is not kept']);
  await logs.keep('gone', logged('x\n'));
  await logs.remove('gone');
  expect(await logs.read('gone')).toBeUndefined();
});

it('lets the oldest go, also those of earlier processes', async () => {
  for (const [at, name] of ['late', 'early', 'unknown'].entries()) {
    const path = join(directory, `${name}.end`);
    writeFileSync(path, 'x\n');
    utimesSync(path, 1000 - at, 1000 - at);
  }
  writeFileSync(join(directory, 'running.log'), 'x\n');
  const logs = new EndedLogs(directory, recordingLog());
  await logs.removeAllBut(['late', 'early']);
  expect(readdirSync(directory).toSorted()).toEqual(['early.end', 'late.end', 'running.log']);
  for (let n = 0; n < 199; n += 1) await logs.keep(`n${String(n)}`, logged('x\n'));
  expect(await logs.read('early')).toBeUndefined();
  expect(await logs.read('late')).toBeDefined();
  await logs.keep('late', logged('again\n'));
  await logs.keep('one-more', logged('x\n'));
  expect([await logs.read('n0'), (await logs.read('late'))?.toString()]).toEqual([undefined, 'again\n']);
});
