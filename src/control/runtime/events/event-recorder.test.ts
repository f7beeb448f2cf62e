import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/index.ts';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import { EVENT } from '../../../api/meta/builtin-types.ts';
import { eventName, type EventInput } from './event-object.ts';
import { EventRecorder } from './event-recorder.ts';

const ABOUT = { apiVersion: 'velero.io/v1', kind: 'Backup', namespace: 'velero', name: 'b1', uid: 'u1' };
const FAILED: EventInput = { type: 'Warning', reason: 'BackupFailed', message: 'store unreachable', about: ABOUT };

function setUp(cluster?: ScriptedCluster) {
  const clock = new FakeClock();
  const kube = cluster ?? new ScriptedCluster(clock);
  const log = recordingLog();
  const recorder = new EventRecorder({ component: 'headway', waitingLimit: 5 }, { kube, clock, log, random: () => 0 });
  const stop = new AbortController();
  const ended = recorder.run(stop.signal);
  const stored = (input: EventInput, namespace = 'velero') =>
    kube.peek({ type: EVENT, namespace, name: eventName(input) });
  const created = () => kube.calls.filter((call) => call.verb === 'create').length;
  return { clock, kube, log, recorder, stop, ended, stored, created };
}

describe('EventRecorder', () => {
  it('writes an event as kubectl describe reads it', async () => {
    const bed = setUp();
    bed.recorder.record(FAILED);
    await bed.clock.advance(0);
    expect(bed.stored(FAILED)).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      type: 'Warning',
      reason: 'BackupFailed',
      message: 'store unreachable',
      involvedObject: ABOUT,
      source: { component: 'headway' },
      firstTimestamp: '2026-01-01T00:00:00Z',
      lastTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
    });
  });

  it('counts repetitions, also those of an earlier process', async () => {
    const bed = setUp();
    bed.recorder.record(FAILED);
    await bed.clock.advance(60_000);
    for (let i = 0; i < 3; i += 1) bed.recorder.record(FAILED);
    await bed.clock.advance(0);
    expect(bed.stored(FAILED)).toMatchObject({ count: 4, lastTimestamp: '2026-01-01T00:01:00Z' });
    const next = setUp(bed.kube);
    next.recorder.record(FAILED);
    await next.clock.advance(0);
    expect(bed.stored(FAILED)).toMatchObject({ count: 5, firstTimestamp: '2026-01-01T00:00:00Z' });
  });

  it('silences an object that says too much, and not the others', async () => {
    const bed = setUp();
    for (let i = 0; i < 40; i += 1) {
      bed.recorder.record({ ...FAILED, message: `item ${i}` });
      await bed.clock.advance(0);
    }
    expect([bed.created(), bed.recorder.lost]).toEqual([25, 15]);
    bed.recorder.record({ ...FAILED, about: { ...ABOUT, uid: 'u2' } });
    await bed.clock.advance(300_000);
    bed.recorder.record({ ...FAILED, message: 'later' });
    bed.recorder.record({ ...FAILED, message: 'too early' });
    await bed.clock.advance(0);
    expect([bed.created(), bed.recorder.lost]).toEqual([27, 16]);
  });

  it('keeps a bounded number waiting and loses the oldest', async () => {
    const bed = setUp();
    const server = Promise.withResolvers<undefined>();
    bed.kube.before = () => server.promise;
    for (let i = 0; i < 10; i += 1) {
      bed.recorder.record({ ...FAILED, message: `item ${i}` });
      await bed.clock.advance(0);
    }
    bed.kube.before = () => undefined;
    server.resolve(undefined);
    await bed.clock.advance(0);
    expect([bed.created(), bed.recorder.lost]).toEqual([6, 4]);
    expect(bed.stored({ ...FAILED, message: 'item 9' })).toBeDefined();
  });

  it('loses an event that cannot be written, with a log line, and goes on', async () => {
    const bed = setUp();
    bed.kube.before = () => {
      throw new AppError('forbidden', 'events is forbidden');
    };
    bed.recorder.record(FAILED);
    await bed.clock.advance(0);
    bed.kube.before = () => undefined;
    bed.recorder.record({ ...FAILED, reason: 'BackupRetried' });
    await bed.clock.advance(0);
    expect(bed.log.lines).toMatchObject([{ message: 'event lost', fields: { err: 'events is forbidden' } }]);
    expect([bed.created(), bed.recorder.lost]).toEqual([1, 1]);
  });

  it('shortens long messages and names, and keeps events of cluster-scoped objects in default', async () => {
    const bed = setUp();
    const about = { apiVersion: 'v1', kind: 'PersistentVolume', name: `${'v'.repeat(199)}-${'v'.repeat(53)}` };
    const input = { ...FAILED, about, message: 'x'.repeat(5000) };
    bed.recorder.record(input);
    await bed.clock.advance(0);
    const event = bed.stored(input, 'default');
    expect(event?.['message']).toHaveLength(1024);
    expect(event?.metadata.name).toMatch(/^v{199}\.[0-9a-f]{16}$/);
  });

  it('ends when stopped', async () => {
    const bed = setUp();
    bed.stop.abort(new AppError('canceled', 'stopped'));
    await bed.ended;
    bed.recorder.record(FAILED);
    await bed.clock.advance(0);
    expect(bed.created()).toBe(0);
  });
});
