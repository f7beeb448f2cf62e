import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { eventually } from '../../../../test/eventually.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import { systemClock } from '../../../main/system-clock.ts';
import { OperationLogs } from './operation-logs.ts';
import { OperationLog } from './operation-log.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headway-log-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function textOf(log: OperationLog): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of log.gzipped()) chunks.push(chunk);
  return gunzipSync(Buffer.concat(chunks)).toString();
}
const messages = (text: string): string[] => [...text.matchAll(/msg="([^"]*)"/g)].map(([, message]) => message ?? '');

describe('the log of an operation', () => {
  it('can be read while it grows, and ends when it is closed', async () => {
    const logs = new OperationLogs(directory, { clock: systemClock, log: recordingLog() });
    const log = await logs.open('tail', { backup: 'velero/a' });
    log.info('first');
    let seen = '';
    const reading = (async () => {
      for await (const chunk of logs.tail('tail', AbortSignal.timeout(20_000))!) seen += Buffer.from(chunk).toString();
    })();
    await eventually(() => {
      expect(messages(seen)).toEqual(['first']);
    });
    log.child({ resource: 'pods' }).info('second');
    await logs.close('tail', 'remove');
    await reading;
    expect(messages(seen)).toEqual(['first', 'second']);
    expect(seen).toContain('backup=velero/a resource=pods');
    expect(logs.tail('tail', AbortSignal.timeout(1))).toBeUndefined();
    expect(await readdir(directory)).not.toContain('tail.log');
  });

  it('is read to its end by a slow reader, also when it is closed and removed meanwhile', async () => {
    const logs = new OperationLogs(directory, { clock: systemClock, log: recordingLog() });
    const log = await logs.open('slow', {});
    log.info('first');
    const chunks = logs.tail('slow', AbortSignal.timeout(20_000))![Symbol.asyncIterator]();
    let seen = Buffer.from((await chunks.next()).value as Uint8Array).toString();
    log.info('second');
    await logs.close('slow', 'remove');
    for (let next = await chunks.next(); !next.done; next = await chunks.next())
      seen += Buffer.from(next.value).toString();
    expect(messages(seen)).toEqual(['first', 'second']);
  });

  it('goes on in the file of the attempt before, and is stored as a whole', async () => {
    const logs = new OperationLogs(directory, { clock: systemClock, log: recordingLog() });
    const first = await logs.open('two', {});
    first.info('one');
    await logs.close('two', 'keep');
    const second = await logs.open('two', {});
    second.info('two');
    expect(messages(await textOf(second))).toEqual(['one', 'two']);
    await logs.close('two', 'remove');
  });

  it('of an operation that nobody knows any more goes away', async () => {
    const folder = join(directory, 'left');
    const logs = new OperationLogs(folder, { clock: systemClock, log: recordingLog() });
    for (const uid of ['ended', 'running', 'open']) (await logs.open(uid, {})).info('line');
    for (const uid of ['ended', 'running']) await logs.close(uid, 'keep');
    await logs.removeAllBut(['running']);
    expect((await readdir(folder)).toSorted()).toEqual(['open.log', 'running.log']);
    await logs.close('open', 'remove');
  });

  it('that somebody removed fails nothing, and says that it is lost', async () => {
    const process = recordingLog();
    const logs = new OperationLogs(directory, { clock: systemClock, log: process });
    const log = await logs.open('gone', {});
    log.info('line');
    await rm(join(directory, 'gone.log'));
    expect(messages(await textOf(log))).toEqual(['the log of this operation is lost']);
    expect(process.lines.map(({ message }) => message)).toEqual(['log of an operation is lost']);
    await logs.close('gone', 'remove');
  });

  it('that is opened while old ones are removed stays', async () => {
    const folder = join(directory, 'race');
    const logs = new OperationLogs(folder, { clock: systemClock, log: recordingLog() });
    await Promise.all([logs.removeAllBut([]), logs.open('new', {})]);
    await Promise.all([logs.open('newer', {}), logs.removeAllBut([])]);
    expect((await readdir(folder)).toSorted()).toEqual(['new.log', 'newer.log']);
    for (const uid of ['new', 'newer']) await logs.close(uid, 'remove');
  });

  it('has its end for whoever asks while it is put away, and waits for nothing else', async () => {
    const logs = new OperationLogs(directory, { clock: systemClock, log: recordingLog() });
    const { signal } = new AbortController();
    const log = await logs.open('end', {});
    log.info('last word');
    const asked = logs.endOf('end', signal);
    await logs.close('end', 'keepEnd');
    expect(messages((await asked)?.toString() ?? '')).toEqual(['last word']);
    await logs.open('hangs', {});
    expect(await logs.endOf('hangs', AbortSignal.abort())).toBeUndefined();
    await logs.close('hangs', 'remove');
    await logs.forget('end');
    expect(await logs.endOf('end', signal)).toBeUndefined();
  });

  it('closes the file when whoever stores it gives up', async () => {
    const logs = new OperationLogs(directory, { clock: systemClock, log: recordingLog() });
    const log = await logs.open('early', {});
    for (let n = 0; n < 20_000; n += 1) log.info(`line ${n} ${Math.random()}`);
    const chunks = log.gzipped();
    await chunks.next();
    await chunks.return(undefined);
    await eventually(() => {
      // The one open for writing.
      expect(openFiles(directory)?.length ?? 1).toBe(1);
    });
    await logs.close('early', 'remove');
  });

  it('stops reading when the reader leaves', async () => {
    const logs = new OperationLogs(directory, { clock: systemClock, log: recordingLog() });
    await logs.open('leave', {});
    const stop = new AbortController();
    const reading = (async () => {
      for await (const chunk of logs.tail('leave', stop.signal)!) expect(chunk).toBeUndefined();
    })();
    stop.abort();
    await reading;
    await logs.close('leave', 'remove');
  });

  it('keeps warnings and errors when it is full, and hands them to the process as well', async () => {
    const clock = new FakeClock();
    const process = recordingLog();
    const log = await OperationLog.open({ path: join(directory, 'full.log'), clock, process, maxBytes: 200 }, {});
    for (let n = 0; n < 10; n += 1) log.info(`line ${n}`);
    log.warn('careful');
    log.error('broken');
    await clock.advance(1000);
    const text = messages(await textOf(log));
    expect(text.at(-1)).toBe('broken');
    expect(text.filter((message) => message.startsWith('line')).length).toBeLessThan(10);
    expect(text.filter((message) => message.startsWith('log is full'))).toHaveLength(1);
    expect(process.lines.map(({ message }) => message)).toEqual(['careful', 'broken']);
    await log.close({ keep: false });
  });
});
