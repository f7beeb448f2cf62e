import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/main/system-clock.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { LEASE } from '../../src/api/meta/builtin-types.ts';
import { AppError } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import { fastClock } from '../fast-clock.ts';
import { BACKUPS, CliFixture, RESTORES } from './cli-fixture.ts';
import type { Started } from './command-line.ts';

let cli: CliFixture;
beforeAll(async () => {
  cli = await CliFixture.start();
});
afterAll(async () => {
  await cli[Symbol.asyncDispose]();
});

async function* failing(error: AppError): AsyncGenerator<never> {
  yield* [];
  throw await Promise.resolve(error);
}

const shows = (started: Started, text: string) =>
  eventually(
    () => {
      expect(started.out()).toContain(text);
    },
    { withinMs: 15_000 },
  );

const running = (percent: number, more: object = {}) => ({
  phase: 'InProgress',
  startTimestamp: new Date(systemClock.now()).toISOString(),
  progress: { percent, itemsBackedUp: percent, totalItems: 100, stage: 'archiving', ...more },
});
const completed = {
  phase: 'Completed',
  startTimestamp: '2026-01-01T00:00:00Z',
  completionTimestamp: '2026-01-01T00:00:03Z',
  progress: { percent: 100, itemsBackedUp: 100, totalItems: 100 },
};

describe('watching one operation', () => {
  it('prints a line per change where there is no terminal, and ends with it', async () => {
    await cli.run('backup', 'create', 'one');
    const watch = cli.begin(['watch', 'backup/one']);
    await shows(watch, '○ backup/one  pending\n');
    await cli.setStatus(
      BACKUPS,
      'one',
      running(41, { current: 'shop/configmaps/a', ratePerSecond: 12, etaSeconds: 5 }),
    );
    await shows(watch, '● backup/one  running  41 %  41 of ~100  12/s  5 s left  archiving · shop/configmaps/a\n');
    await cli.setStatus(BACKUPS, 'one', completed);
    const { code, out, err } = await watch.ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').at(-2)).toBe('✓ backup/one  completed  100 %  100 items  Backed up 100 items in 3.0 s');
  });

  it('ends with 1 when it failed, and says what to do', async () => {
    await cli.run('backup', 'create', 'two');
    const watch = cli.begin(['backup', 'watch', 'two']);
    await shows(watch, 'pending');
    await cli.setStatus(BACKUPS, 'two', { phase: 'FailedValidation', validationErrors: ['location x does not exist'] });
    const { code, out } = await watch.ended;
    expect(code).toBe(1);
    expect(out).toContain('✕ backup/two  failed  Refused: location x does not exist\n');
    expect(out).toContain('See why with: headway backup describe two, headway backup logs two\n');
  });

  it('ends with 1 when nothing was selected, and says why', async () => {
    await cli.run('backup', 'create', 'empty');
    const message = 'nothing in the cluster was selected: the cluster has no namespace "shpo"; did you mean "shop"?';
    const conditions = [{ type: 'NothingSelected', status: 'True', reason: 'NothingMatches', message }];
    const progress = { percent: 100, itemsBackedUp: 0, totalItems: 0 };
    await cli.setStatus(BACKUPS, 'empty', { ...completed, progress, conditions });
    const { code, out } = await cli.run('watch', 'backup/empty');
    expect(code).toBe(1);
    expect(out.split('\n')[0]).toBe(
      '▲ backup/empty  nothing selected  100 %  0 items  ' +
        'Nothing in the cluster was selected: the cluster has no namespace "shpo"; did you mean "shop"?',
    );
    // Nobody makes a link to its files, for which it waits 15 s.
    const describe = cli.begin(['backup', 'describe', 'empty'], { clock: fastClock(50) });
    const described = (await describe.ended).out.split('\n');
    expect(described[0]).toBe('▲ backup/empty  nothing selected');
    expect(described[1]).toBe(
      '  Nothing in the cluster was selected: the cluster has no namespace "shpo"; did you mean "shop"?',
    );
  });

  it('offers to restore the rest after a cancel', async () => {
    await cli.run('backup', 'create', 'origin');
    await cli.run('restore', 'create', 'cut', '--from-backup', 'origin');
    const progress = {
      percent: 31,
      itemsRestored: 31,
      totalItems: 100,
      created: 31,
      failed: 0,
      updated: 0,
      skipped: 0,
    };
    await cli.setStatus(RESTORES, 'cut', { phase: 'Failed', failureReason: 'canceled', progress });
    const { code, out } = await cli.run('watch', 'restore/cut');
    expect(code).toBe(1);
    expect(out).toContain('\nRestore the rest with: headway restore retry cut\n');
  });

  it('follows a creation with --wait, and offers to retry a restore', async () => {
    await cli.run('backup', 'create', 'source');
    const create = cli.begin(['restore', 'create', 'three', '--from-backup', 'source', '--wait']);
    await shows(create, '○ restore/three  pending');
    await cli.setStatus(RESTORES, 'three', {
      phase: 'PartiallyFailed',
      errors: 2,
      progress: { percent: 99, itemsRestored: 10, totalItems: 10, created: 8, failed: 2, updated: 0, skipped: 0 },
    });
    const { code, out } = await create.ended;
    expect(code).toBe(1);
    expect(out).toContain('restore/three created\n');
    expect(out).toContain('▲ restore/three  partially failed  99 %');
    expect(out).toContain('Retry what failed with: headway restore retry three\n');

    expect((await cli.run('restore', 'retry', 'three', '--name', 'again')).out).toBe('restore/again created\n');
    const again = await cli.get(RESTORES, 'again');
    expect(again.metadata.annotations).toEqual({ 'headway.io/retry-of': 'three' });
    expect(again['spec']).toEqual({ backupName: 'source' });
    expect((await cli.run('restore', 'retry', 'again')).code).toBe(1);
  });

  it('retries a restore of a backup that a schedule made', async () => {
    await cli.run('backup', 'create', 'nightly-1');
    await cli.run('restore', 'create', 'of-schedule', '--from-backup', 'nightly-1');
    // As the engine leaves it.
    const body = { spec: { scheduleName: 'nightly' }, status: { phase: 'PartiallyFailed', errors: 1 } };
    await cli.kube.patch({ type: RESTORES, namespace: 'velero', name: 'of-schedule' }, { kind: 'merge', body });
    expect((await cli.run('restore', 'retry', 'of-schedule', '--name', 'of-schedule-2')).code).toBe(0);
    expect((await cli.get(RESTORES, 'of-schedule-2'))['spec']).toEqual({ backupName: 'nightly-1' });
  });

  it('draws a tree over itself on a terminal, the stalled first', async () => {
    await cli.run('backup', 'create', 'quick');
    await cli.run('backup', 'create', 'stuck');
    await cli.setStatus(BACKUPS, 'quick', running(10));
    await cli.setStatus(BACKUPS, 'stuck', {
      ...running(54),
      conditions: [{ type: 'Stalled', status: 'True', message: 'the store does not answer; try the bucket by hand' }],
    });
    const watch = cli.begin(['watch'], { isTerminal: true });
    await shows(watch, '● backup/quick');
    watch.interrupt();
    const { code, out, err } = await watch.ended;
    expect(code).toBe(130);
    expect(err).toMatch(/^Watched for [\d.< ]+ s: (\d+ \w+, )*1 running(, |\n)/);
    expect(err).toContain('1 stalled');
    const frame = out.split('\u001b[J').find((text) => text.includes('quick')) ?? '';
    const lines = frame.split('\n').map((line) => line.replaceAll(/\u001b\[\w+|\r/g, ''));
    expect(lines.findIndex((line) => line.startsWith('▲ backup/stuck'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('● backup/quick')),
    );
    expect(frame).toContain('without progress: the store does not answer');
    expect(frame).toContain('│ try: try the bucket by hand');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  });

  it('goes on without us after Ctrl-C, and says so', async () => {
    await cli.run('backup', 'create', 'long');
    const watch = cli.begin(['watch', 'backup/long']);
    await shows(watch, 'pending');
    watch.interrupt();
    expect(await watch.ended).toMatchObject({
      code: 130,
      err:
        'Stopped watching; backup/long keeps running. Watch it again with: headway watch backup/long\n' +
        'Cancel it with: headway backup cancel long\n',
    });
    expect((await cli.get(BACKUPS, 'long'))['status']).toBeUndefined();
  });

  it('is JSON lines with -o json, one for each write', async () => {
    await cli.run('backup', 'create', 'json');
    const watch = cli.begin(['watch', 'backup/json', '-o', 'json']);
    await shows(watch, '"state":"pending"');
    await cli.setStatus(BACKUPS, 'json', running(7));
    await shows(watch, '"percent":7');
    await cli.setStatus(BACKUPS, 'json', completed);
    const { code, out } = await watch.ended;
    expect(code).toBe(0);
    const states = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { report: { state: string } }).report.state);
    expect(states).toEqual(['pending', 'running', 'completed']);
  });

  it.each([
    ['one that is not there', ['watch', 'backup/nobody'], 3],
    ['a kind that is none', ['watch', 'pod/x'], 3],
    ['no name', ['watch', 'backup'], 2],
  ])('refuses %s', async (_, args, code) => {
    expect((await cli.run(...args)).code).toBe(code);
  });

  it('says when it is deleted under our eyes, and stops waiting when told', async () => {
    await cli.run('backup', 'create', 'vanishing');
    const watch = cli.begin(['watch', 'backup/vanishing']);
    await shows(watch, 'pending');
    await cli.kube.delete({ type: BACKUPS, namespace: 'velero', name: 'vanishing' });
    expect(await watch.ended).toMatchObject({ code: 3 });
    expect(watch.err()).toContain('backup "vanishing" was deleted while it was watched');
    await cli.run('backup', 'create', 'slow');
    expect(await cli.run('watch', 'backup/slow', '--timeout', '500ms')).toMatchObject({ code: 5 });
  });
});

describe('a watch that breaks', () => {
  /** Breaks every watch once it has shown something, as a restarted API server would. */
  const breaking = (kube: KubeClient, state: { broken: number }): KubeClient => ({
    ...kube,
    watch: async function* (target, options) {
      if (state.broken++ < 4) throw new AppError('unreachable', 'the connection broke');
      yield* kube.watch(target, options);
    },
  });

  it('is begun again, and nothing is missed', async () => {
    await cli.run('backup', 'create', 'through');
    const state = { broken: 0 };
    const watch = cli.begin(['watch', 'backup/through'], {
      connect: async (choice) => {
        const session = await cli.connect(choice);
        return { ...session, kube: breaking(session.kube, state) };
      },
    });
    await shows(watch, 'pending');
    await cli.setStatus(BACKUPS, 'through', completed);
    const { code } = await watch.ended;
    expect(code).toBe(0);
    expect(state.broken).toBeGreaterThan(2);
    expect(watch.err()).toContain('reconnecting for');
  });

  it('says in a log that nothing runs, and does not list what had ended before', async () => {
    const idle = cli.begin(['watch', '-n', 'default']);
    await eventually(
      () => {
        expect(idle.err()).toContain('○ nothing is running; waiting for the next operation\n');
      },
      { withinMs: 15_000 },
    );
    idle.interrupt();
    expect(await idle.ended).toMatchObject({
      code: 130,
      out: '',
      err: expect.stringMatching(/\nWatched for [^:]+: nothing ran\n$/) as string,
    });
  });

  it('says how to start a pocket cluster that does not answer', async () => {
    const away = new AppError('unreachable', 'cannot reach https://127.0.0.1:1');
    const connect = async () => {
      const session = await cli.connect();
      return { ...session, kube: { ...session.kube, list: () => failing(away) } };
    };
    const { code, err } = await cli.begin(['backup', 'get'], { connect }).ended;
    expect({ code, err }).toEqual({
      code: 5,
      err: 'headway: cannot reach https://127.0.0.1:1\nStart it with: headway pocket up test\n',
    });
  });

  it('shows neither a rate nor a time left while it is broken', async () => {
    await cli.run('backup', 'create', 'unheard');
    await cli.setStatus(BACKUPS, 'unheard', running(30, { ratePerSecond: 812, etaSeconds: 29 }));
    let isBroken = false;
    const broken = new AppError('unreachable', 'the connection broke');
    const watch = cli.begin(['watch', 'backup/unheard'], {
      isTerminal: true,
      connect: async (choice) => {
        const session = await cli.connect(choice);
        const kube: KubeClient = {
          ...session.kube,
          list: async function* (...given) {
            if (isBroken) throw broken;
            yield* session.kube.list(...given);
          },
          watch: async function* () {
            await eventually(() => {
              if (!isBroken) throw new Error('not yet');
            });
            yield* [];
            throw broken;
          },
        };
        return { ...session, kube };
      },
    });
    await shows(watch, '812/s');
    isBroken = true;
    await shows(watch, 'reconnecting for');
    expect(watch.out().slice(watch.out().indexOf('reconnecting for'))).not.toMatch(/812|29 s/);
    watch.interrupt();
    expect((await watch.ended).code).toBe(130);
  });
});

describe('canceling', () => {
  it('asks by annotation, and waits when told', async () => {
    await cli.run('backup', 'create', 'stop-me');
    await cli.setStatus(BACKUPS, 'stop-me', running(30));
    const cancel = cli.begin(['backup', 'cancel', 'stop-me', '--wait']);
    await shows(cancel, 'canceling');
    expect((await cli.get(BACKUPS, 'stop-me')).metadata.annotations).toEqual({ 'headway.io/cancel': 'true' });
    await cli.setStatus(BACKUPS, 'stop-me', { phase: 'Failed', failureReason: 'canceled' });
    const { code, out } = await cancel.ended;
    expect(code).toBe(0);
    expect(out).toContain('✕ backup/stop-me  canceled');
    expect(await cli.run('backup', 'cancel', 'stop-me')).toMatchObject({
      code: 1,
      err: 'headway: cannot cancel backup "stop-me": it has already finished (Failed)\n',
    });
  });
});

describe('a cluster in which no Headway leads', () => {
  const lease = { type: LEASE, namespace: 'velero', name: 'headway' };
  const setLease = async (spec: object) => {
    await cli.kube.patch(lease, { kind: 'merge', body: { spec: { ...spec } } });
  };
  const ago = (seconds: number) => new Date(systemClock.now() - seconds * 1000).toISOString().replace('Z', '000Z');
  const lines = /^▲ no Headway answers in this cluster \(no leader for 4\d s\)\n {2}Start one with: headway server\n/;

  it('is told by --wait, until one leads', async () => {
    await setLease({ holderIdentity: '', renewTime: ago(40) });
    const create = cli.begin(['backup', 'create', 'alone', '--wait']);
    await eventually(() => {
      expect(create.err()).toMatch(lines);
    });
    await setLease({ holderIdentity: 'test', renewTime: ago(0) });
    await eventually(() => {
      expect(create.err()).toContain('✓ a Headway answers\n');
    });
    await cli.setStatus(BACKUPS, 'alone', completed);
    expect((await create.ended).code).toBe(0);
  });

  it.each(['get', 'describe'])('is told by %s of what has not ended', async (verb) => {
    await cli.run('backup', 'create', `open-${verb}`);
    // Killed, not stopped: the lease is still held, and nobody renews it.
    await setLease({ holderIdentity: 'dead', leaseDurationSeconds: 15, renewTime: ago(40) });
    const { code, err } = await cli.run('backup', verb, `open-${verb}`);
    expect(code).toBe(0);
    expect(err).toMatch(lines);
    await cli.setStatus(BACKUPS, `open-${verb}`, completed);
    expect((await cli.run('backup', verb, `open-${verb}`)).err).toBe('');
    await setLease({ holderIdentity: 'test', leaseDurationSeconds: 3600, renewTime: ago(0) });
  });
});

it('says why a restore waits, in a line and when it is described', async () => {
  await cli.run('backup', 'create', 'full');
  await cli.run('restore', 'create', 'second', '--from-backup', 'full');
  const message = 'restore first is ahead and goes into the same namespace, shop';
  const lastTransitionTime = new Date(systemClock.now() - 45_000).toISOString();
  const waiting = { type: 'Waiting', status: 'True', reason: 'OtherRestores', message, lastTransitionTime };
  await cli.setStatus(RESTORES, 'second', { phase: 'New', conditions: [waiting] });
  const watch = cli.begin(['watch', 'restore/second']);
  await eventually(() => {
    expect(watch.out()).toMatch(new RegExp(`^○ restore/second  pending  waiting for 4\\d s: ${message}\n`));
  });
  watch.interrupt();
  await watch.ended;
  const { out } = await cli.run('restore', 'describe', 'second');
  expect(out).toMatch(new RegExp(`^○ restore/second  pending\n  waiting for 4\\d s: ${message}\n`));
  expect(out).not.toContain('Problems');
});
