import type { FileHandle } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import { LogFile } from './log-file.ts';

/** A disk on which every write blocks until it is released. */
function slowDisk(): { file: FileHandle; written: string[]; letGo: () => void } {
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  const appendFile = async (text: string): Promise<void> => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    written.push(text);
  };
  const file = { appendFile, close: () => Promise.resolve() } as unknown as FileHandle;
  return { file, written, letGo: () => waiting.shift()?.() };
}

it('writes the lines that came during a write, though no other comes after them', async () => {
  const clock = new FakeClock();
  const disk = slowDisk();
  const log = new LogFile({ path: '/nowhere', clock, process: recordingLog(), maxBytes: 1e6 }, disk.file, 0);
  log.add('info', 'first', {});
  await clock.advance(100);
  log.add('info', 'last', {});
  disk.letGo();
  await clock.advance(200);
  disk.letGo();
  await clock.advance(0);
  expect(disk.written.map((text) => /msg="(\w+)"/.exec(text)?.[1])).toEqual(['first', 'last']);
});

it('writes one piece after the other', async () => {
  const clock = new FakeClock();
  const disk = slowDisk();
  const log = new LogFile({ path: '/nowhere', clock, process: recordingLog(), maxBytes: 1e6 }, disk.file, 0);
  log.add('info', 'first', {});
  const flushed = [log.flush()];
  await clock.advance(100);
  log.add('info', 'second', {});
  flushed.push(log.flush());
  await clock.advance(200);
  expect(disk.written).toEqual([]);
  disk.letGo();
  await clock.advance(200);
  expect(disk.written).toHaveLength(1);
  disk.letGo();
  await Promise.all(flushed);
  expect(disk.written).toHaveLength(2);
});

it('keeps warnings and errors when it is full, and also these only up to twice its size', async () => {
  const written: string[] = [];
  const appendFile = (text: string): Promise<void> => {
    written.push(text);
    return Promise.resolve();
  };
  const file = { appendFile, close: () => Promise.resolve() } as unknown as FileHandle;
  const options = { path: '/nowhere', clock: new FakeClock(), process: recordingLog(), maxBytes: 1000 };
  const log = new LogFile(options, file, 0);
  for (let at = 0; at < 100; at += 1) log.add('info', `step ${at}`, {});
  const informed = log.flush();
  for (let at = 0; at < 100; at += 1) log.add('error', `failure ${at}`, {});
  await Promise.all([informed, log.flush()]);
  const text = written.join('');
  expect(text).toContain('log is full');
  expect(text).toContain('failure 0');
  expect(text.length).toBeLessThan(2200);
});
