import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { pod } from '../../../../test/pocket/sample-objects.ts';
import { NO_LOG, type JsonObject } from '../../../base/index.ts';
import type { Container } from '../../controllers/kinds/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';
import { ContainerLog } from '../logs/index.ts';
import { ownBytes, residentBytes, type ContainerProcess } from '../process/index.ts';
import { ContainerRun } from './container-run.ts';
import { EventRecorder } from './event-recorder.ts';
import { terminationMessage } from './termination-message.ts';
import { UsageWatch, type Excess } from './usage-watch.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headway-container-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

/** A container without a process: what is asked of one is written down. */
function lifeOf(container: Partial<Container> = {}) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const { promise: ended, resolve } = Promise.withResolvers<{ code: number }>();
  const end = (code: number): void => {
    output.end();
    errors.end();
    resolve({ code });
  };
  const process = {
    output,
    errors,
    ended,
    signal: (signal: string) => asked.push(signal),
    kill: () => {
      asked.push('kill');
      end(137);
    },
  } as unknown as ContainerProcess;
  const log = new ContainerLog(join(dir, 'log'), clock);
  const run = new ContainerRun({ container: { name: 'c', ...container }, process, log, podIP: '127.20.0.1', clock });
  return { run, clock, asked, end, errors };
}

describe('a container that is to end', () => {
  it('is asked first, and ended when its time is over', async () => {
    const { run, clock, asked } = lifeOf();
    run.stop(3000, () => undefined);
    await clock.advance(2900);
    expect(asked).toEqual(['SIGTERM']);
    await clock.advance(200);
    expect(asked).toEqual(['SIGTERM', 'kill']);
    expect(await run.ended).toEqual({ exitCode: 137 });
  });

  it('is ended at once when somebody takes its time away', async () => {
    const { run, clock, asked } = lifeOf();
    run.stop(30_000, () => undefined);
    await clock.advance(1);
    run.stop(0, () => undefined);
    expect(asked).toEqual(['SIGTERM', 'kill']);
    await run.ended;
  });

  it('has two seconds after its hook, however little time was left', async () => {
    const { run, clock, asked } = lifeOf({ lifecycle: { preStop: { sleep: { seconds: 0 } } } });
    run.stop(1, () => undefined);
    await eventually(() => {
      expect(asked).toEqual(['SIGTERM']);
    });
    await clock.advance(1500);
    expect(asked).toEqual(['SIGTERM']);
    await clock.advance(600);
    expect(asked).toEqual(['SIGTERM', 'kill']);
    await run.ended;
  });
});

it('has no log of its own when its program could not be started', async () => {
  const { run, end, errors } = lifeOf();
  errors.write('unshare: failed to execute nope: No such file or directory\n');
  end(127);
  expect(await run.ended).toEqual({
    exitCode: 128,
    startFailure: 'failed to execute nope: No such file or directory',
  });
  expect(existsSync(join(dir, 'log'))).toBe(false);
});

describe('last words', () => {
  const file = () => join(dir, 'words');
  it('are the first 4096 bytes of their file', async () => {
    writeFileSync(file(), 'x'.repeat(5000));
    expect(await terminationMessage({ name: 'c' }, { file: file(), logDir: dir, exitCode: 1 })).toHaveLength(4096);
  });

  it('are the end of the log only after a failure, and only where that was asked for', async () => {
    const log = new ContainerLog(join(dir, 'log'), new FakeClock());
    await log.write('stdout', Buffer.from(`${'line\n'.repeat(200)}last\n`));
    await log.end();
    const words = (exitCode: number, terminationMessagePolicy?: string) =>
      terminationMessage(
        { name: 'c', ...(terminationMessagePolicy === undefined ? {} : { terminationMessagePolicy }) },
        { file: file(), logDir: log.dir, exitCode },
      );
    expect(await words(1, 'FallbackToLogsOnError')).toBe(`${'line\n'.repeat(79)}last\n`);
    expect(await words(0, 'FallbackToLogsOnError')).toBe('');
    expect(await words(1)).toBe('');
  });
});

it.skipIf(process.platform !== 'linux')('counts memory that processes share only once', async () => {
  const child = spawn('sleep', ['1000']);
  await once(child, 'spawn');
  const pid = child.pid ?? 0;
  const watch = new UsageWatch();
  const seen: [string, Excess][] = [];
  const add = (name: string, memoryBytes: number, processes = 10): (() => void) =>
    watch.add({
      process: { processes: () => [pid], kill: () => undefined } as unknown as ContainerProcess,
      limits: { memoryBytes, processes },
      onExcess: (excess) => seen.push([name, excess]),
    });
  try {
    await eventually(() => {
      expect(ownBytes(pid)).toBeGreaterThan(0);
      expect(residentBytes(pid)).toBeGreaterThan(ownBytes(pid));
    });
    const stops = [add('shares', residentBytes(pid) - 1), add('has too much', 1), add('is too many', 1e12, 0)];
    await eventually(() => {
      expect(seen.map(([name, { kind }]) => [name, kind])).toEqual([
        ['has too much', 'memory'],
        ['is too many', 'processes'],
      ]);
    });
    for (const stop of stops) stop();
  } finally {
    child.kill('SIGKILL');
  }
});

describe('events', () => {
  function recorder() {
    const stored = new Map<string, JsonObject>();
    const put = (_kind: unknown, event: { metadata: { name: string } }): Promise<unknown> => {
      stored.set(event.metadata.name, event);
      return Promise.resolve(event);
    };
    const client = { get: (_kind: unknown, _ns: string, name: string) => stored.get(name), create: put, update: put };
    const events = new EventRecorder({
      client: client as unknown as ControlClient,
      clock: new FakeClock(),
      log: NO_LOG,
    });
    return { events, stored };
  }

  it('are counted when they happen again', async () => {
    const { events, stored } = recorder();
    const about = pod('p', { metadata: { uid: 'u' } });
    const failed = { type: 'Warning', reason: 'Failed', message: 'no' } as const;
    for (let n = 0; n < 3; n += 1) events.record(about, failed);
    events.record(about, { ...failed, message: 'another' });
    await events.close();
    expect([...stored.values()].map(({ message, count }) => [message, count])).toEqual([
      ['no', 3],
      ['another', 1],
    ]);
  });

  it('are bounded for each object', async () => {
    const { events, stored } = recorder();
    for (let n = 0; n < 100; n += 1) {
      events.record(pod('p', { metadata: { uid: 'u' } }), { type: 'Normal', reason: 'Busy', message: String(n) });
    }
    await events.close();
    expect(stored.size).toBe(25);
  });
});
