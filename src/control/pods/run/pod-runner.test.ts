import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { Backup, NODE, POD } from '../../../api/index.ts';
import { AppError, type JsonObject } from '../../../base/index.ts';
import type { KubeClient, LogLine, LogOptions } from '../../../edge/kube/index.ts';
import { podObject, type PodRequest } from './pod-request.ts';
import { PodRunner } from './pod-runner.ts';

const TARGET = { type: POD, namespace: 'shop', name: 'task' };
const REQUEST: PodRequest = {
  name: 'task',
  namespace: 'shop',
  purpose: 'task',
  owner: {
    type: Backup,
    object: { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero', uid: 'u1' } },
  },
  spec: { containers: [{ name: 'main', image: 'busybox:1' }] },
  deadlineMs: 600_000,
};
const status = (phase: string, state: JsonObject, more: JsonObject = {}): JsonObject => ({
  phase,
  containerStatuses: [{ name: 'main', restartCount: 0, state, ...more }],
});
const RUNNING = status('Running', { running: {} });
const ended = (exitCode: number, reason = 'Error', more: JsonObject = {}): JsonObject =>
  status(exitCode === 0 ? 'Succeeded' : 'Failed', { terminated: { exitCode, reason } }, more);
const waiting = (reason: string, message: string): JsonObject => status('Pending', { waiting: { reason, message } });

const NODE_READY = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
};
const CANCELED = new AppError('canceled', 'the backup was canceled');
const STOPPED = new AppError('canceled', 'this process stops');

/** A cluster in memory and a log of which the test decides what each reading gives. */
class Stage {
  readonly clock = new FakeClock();
  readonly kube = new ScriptedCluster(this.clock);
  readonly log = recordingLog();
  readonly stop = new AbortController();
  readonly lines: string[] = [];
  readonly told: string[] = [];
  readonly readings: LogOptions[] = [];
  onLine: (line: LogLine) => void | Promise<void> = ({ line }) => void this.lines.push(line);
  readLog: (options: LogOptions) => AsyncIterable<LogLine> = () => says()();
  readonly #runner = new PodRunner(
    {
      kube: Object.assign(this.kube, {
        logs: (_pod: unknown, options: LogOptions) => {
          this.readings.push(options);
          return this.readLog(options);
        },
      }) as unknown as KubeClient,
      clock: this.clock,
      random: () => 0.5,
      log: this.log,
      api: () => ({ call: (request) => request() }),
    },
    new AbortController().signal,
  );

  run(request: Partial<PodRequest> = {}): Promise<{ exitCode: number }> {
    const running = this.#runner.run(
      { ...REQUEST, ...request },
      {
        signal: this.stop.signal,
        lasting: new AbortController().signal,
        isCanceled: ({ reason }) => reason === CANCELED,
        onLine: (line) => this.onLine(line),
        onWaiting: ({ message }) => {
          this.told.push(message);
          return {
            tell: (cause) => this.told.push(cause.message),
            explain: (why) => this.told.push(why === undefined ? 'nothing is in the way' : `! ${why.reason}`),
            end: () => this.told.push('ended'),
          };
        },
      },
    );
    // Whether it rejects is looked at later.
    running.catch(() => undefined);
    return running;
  }

  async sets(body: JsonObject): Promise<void> {
    await this.clock.advance(100);
    await this.kube.patch(TARGET, { kind: 'merge', body: { status: body } });
    await this.clock.advance(100);
  }

  get isThere(): boolean {
    return this.kube.peek(TARGET) !== undefined;
  }

  async close(): Promise<void> {
    await this.#runner.close();
    expect(this.kube.openWatches).toBe(0);
  }
}

const says = (...lines: string[]) =>
  async function* (): AsyncGenerator<LogLine> {
    for (const line of lines) yield await Promise.resolve({ line });
  };
/** Gives nothing more until it is told to stop. */
const hangs = (...lines: string[]) =>
  async function* ({ signal }: LogOptions): AsyncGenerator<LogLine> {
    for (const line of lines) yield { line };
    await new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  };

describe('a pod that is run', () => {
  it('is created, read to its end and removed; its exit code is the result', async () => {
    const stage = new Stage();
    stage.readLog = says('one', 'two');
    const running = stage.run();
    await stage.sets(RUNNING);
    expect(stage.isThere).toBe(true);
    await stage.sets(ended(3));
    expect(await running).toEqual({ exitCode: 3 });
    expect(stage.lines).toEqual(['one', 'two']);
    expect(stage.isThere).toBe(false);
    expect(stage.told.at(-1)).toBe('ended');
    await stage.close();
  });

  it('is found again by the next process, which reads its log from the beginning and starts nothing', async () => {
    const stage = new Stage();
    await stage.kube.create(TARGET, podObject(REQUEST));
    await stage.sets(ended(0));
    stage.readLog = says('all of it');
    const running = stage.run();
    await stage.clock.advance(1000);
    expect(await running).toEqual({ exitCode: 0 });
    expect(stage.lines).toEqual(['all of it']);
    expect(stage.kube.calls.filter(({ verb }) => verb === 'create')).toHaveLength(2);
    expect(stage.isThere).toBe(false);
    await stage.close();
  });

  it('is not another one that has its name: that one stays', async () => {
    const stage = new Stage();
    const other = { ...REQUEST.owner, object: { ...REQUEST.owner.object, metadata: { name: 'x', uid: 'u2' } } };
    await stage.kube.create(TARGET, podObject({ ...REQUEST, owner: other }));
    await expect(stage.run()).rejects.toMatchObject({ code: 'alreadyExists' });
    expect(stage.isThere).toBe(true);
    await stage.close();
  });

  it('is made anew when its forerunner is on its way out', async () => {
    const stage = new Stage();
    const old = podObject(REQUEST);
    await stage.kube.create(TARGET, { ...old, metadata: { ...old.metadata, finalizers: ['example.com/hold'] } });
    await stage.kube.delete(TARGET);
    const running = stage.run();
    await stage.clock.advance(5000);
    await stage.kube.patch(TARGET, { kind: 'merge', body: { metadata: { finalizers: [] } } });
    await stage.clock.advance(10_000);
    await stage.sets(ended(0));
    expect(await running).toEqual({ exitCode: 0 });
    await stage.close();
  });

  it('is given up within 15 s when it cannot succeed, with the reason, and removed', async () => {
    const stage = new Stage();
    const running = stage.run();
    await stage.kube.create({ type: NODE }, NODE_READY);
    await stage.kube.patch(TARGET, { kind: 'merge', body: { spec: { nodeName: 'n' } } });
    await stage.sets(waiting('CreateContainerConfigError', 'secret "nope" not found'));
    await stage.clock.advance(7_000);
    expect(stage.told).toContain('! CreateContainerConfigError');
    expect(stage.isThere).toBe(true);
    await stage.clock.advance(8_000);
    await expect(running).rejects.toMatchObject({
      code: 'invalid',
      message: 'pod shop/task: container main cannot be configured: secret "nope" not found',
      details: { reason: 'CreateContainerConfigError' },
    });
    expect(stage.isThere).toBe(false);
    await stage.close();
  });

  it('is waited for as long as it may still come, and the wait is explained', async () => {
    const stage = new Stage();
    const running = stage.run();
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }];
    await stage.sets({ phase: 'Pending', conditions });
    await stage.clock.advance(500_000);
    expect(stage.told).toContain(`pod shop/task fits on no node: ${message}`);
    expect(stage.told.at(-1)).toBe('! Unschedulable');
    await stage.sets({ ...ended(0), conditions: [] });
    expect(await running).toEqual({ exitCode: 0 });
    await stage.close();
  });

  it('is created as soon as the quota has room, and at once given up where it is not wanted', async () => {
    const stage = new Stage();
    const refused = (message: string) => {
      throw new AppError('forbidden', message, { details: { status: { message } } });
    };
    let isFull = true;
    stage.kube.before = ({ verb }) => {
      if (verb === 'create' && isFull) refused('exceeded quota: q, requested: pods=1');
    };
    const running = stage.run();
    await stage.clock.advance(60_000);
    expect(stage.told.at(-1)).toBe('! QuotaExceeded');
    isFull = false;
    await stage.clock.advance(10_000);
    await stage.sets(ended(0));
    expect(await running).toEqual({ exitCode: 0 });
    stage.kube.before = ({ verb }) => {
      if (verb === 'create') refused('violates PodSecurity "restricted:latest"');
    };
    const second = stage.run();
    await stage.clock.advance(15_000);
    await expect(second).rejects.toThrow('the cluster does not take pod shop/task: violates PodSecurity');
    await stage.close();
  });

  it('is removed when it is canceled, also when its creation was cut off', async () => {
    for (const moment of ['while it runs', 'while it is created']) {
      const stage = new Stage();
      stage.readLog = hangs('one');
      if (moment === 'while it is created') {
        stage.kube.after = ({ verb }) => (verb === 'create' ? stage.clock.sleep(10_000) : undefined);
      }
      const running = stage.run();
      if (moment === 'while it runs') await stage.sets(RUNNING);
      await stage.clock.advance(1000);
      expect(stage.isThere, moment).toBe(true);
      stage.stop.abort(CANCELED);
      await stage.clock.advance(30_000);
      await expect(running).rejects.toBe(CANCELED);
      expect(stage.isThere, moment).toBe(false);
      await stage.close();
    }
  });

  it('is left for the next process when only this one stops', async () => {
    const stage = new Stage();
    stage.readLog = hangs();
    const running = stage.run();
    await stage.sets(RUNNING);
    stage.stop.abort(STOPPED);
    await stage.clock.advance(30_000);
    await expect(running).rejects.toBe(STOPPED);
    expect(stage.isThere).toBe(true);
    await stage.close();
  });

  it('must end in time, and the error names what it waited for', async () => {
    const stage = new Stage();
    stage.readLog = hangs();
    const running = stage.run({ deadlineMs: 20_000 });
    await stage.sets(RUNNING);
    await stage.clock.advance(20_000);
    await expect(running).rejects.toMatchObject({
      code: 'timeout',
      message: 'pod shop/task has not ended after 20 s: pod shop/task still runs',
    });
    expect(stage.isThere).toBe(false);
    await stage.close();
  });

  it('fails with what ended it when that was not its program, and its log is read first', async () => {
    const stage = new Stage();
    stage.readLog = says('the last words');
    const running = stage.run();
    await stage.sets({ ...ended(137), reason: 'Evicted', message: 'The node was low on resource: memory.' });
    await expect(running).rejects.toMatchObject({
      code: 'unreachable',
      message: 'pod shop/task was evicted from its node: The node was low on resource: memory.',
    });
    expect(stage.lines).toEqual(['the last words']);
    await stage.close();
  });

  it('fails when somebody deletes it', async () => {
    const stage = new Stage();
    stage.readLog = hangs('one');
    const running = stage.run();
    await stage.sets(RUNNING);
    await stage.kube.delete(TARGET);
    await stage.clock.advance(60_000);
    await expect(running).rejects.toMatchObject({
      code: 'unreachable',
      message: 'pod shop/task was deleted before its program had ended',
    });
    await stage.close();
  });

  it('fails when its log cannot be read to the end, although its exit code is known', async () => {
    const stage = new Stage();
    stage.readLog = hangs('one');
    const running = stage.run();
    await stage.sets(RUNNING);
    await stage.sets(ended(0));
    await stage.clock.advance(60_000);
    await expect(running).rejects.toThrow('the log of pod shop/task could not be read to its end');
    expect(stage.lines).toEqual(['one']);
    await stage.close();
  });

  it('has every run of a restarted program read, also one that was missed', async () => {
    const stage = new Stage();
    const logs = [says('first'), says('second'), says('third')];
    stage.readLog = () => (logs.shift() ?? says())();
    const spec = { ...REQUEST.spec, restartPolicy: 'OnFailure' };
    const running = stage.run({ spec });
    await stage.sets(RUNNING);
    const failed = { terminated: { exitCode: 1, reason: 'Error' } };
    await stage.sets(status('Running', { running: {} }, { restartCount: 2, lastState: failed }));
    await stage.sets(ended(0, 'Completed', { restartCount: 2 }));
    expect(await running).toEqual({ exitCode: 0 });
    expect(stage.lines).toEqual(['first', 'second', 'third']);
    expect(stage.readings.map(({ previous = false }) => previous)).toEqual([false, true, false]);
    await stage.close();
  });

  it('has the next line wait for a reader that is slow', async () => {
    const stage = new Stage();
    let isBusy = false;
    const met: boolean[] = [];
    stage.onLine = async () => {
      isBusy = true;
      await stage.clock.sleep(1000);
      isBusy = false;
    };
    stage.readLog = async function* () {
      for (let line = 0; line < 3; line += 1) {
        yield await Promise.resolve({ line: String(line) });
        met.push(isBusy);
      }
    };
    const running = stage.run();
    await stage.sets(ended(0));
    await stage.clock.advance(5000);
    expect(await running).toEqual({ exitCode: 0 });
    expect(met).toEqual([false, false, false]);
    await stage.close();
  });
});
