import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, type JsonObject } from '../../../base/index.ts';
import type { Report } from '../../../core/progress/index.ts';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import type { KubeObject, NamedTarget, Patch, PatchOptions } from '../../../edge/kube/port.ts';
import { StatusPublisher } from './publisher.ts';

const TYPE = { group: 'velero.io', version: 'v1', kind: 'Restore', plural: 'restores', namespaced: true };
const TARGET = { type: TYPE, namespace: 'velero', name: 'r1' };
const WRITE_DEADLINE_MS = 2000;

/** What happens to one status write: its delays there and back, and whether it is refused or its answer lost. */
interface Fate {
  thereMs: number;
  backMs: number;
  fault: 'none' | 'refused' | 'lost';
}
interface Write {
  sentAt: number;
  done: number;
  hasVersion: boolean;
  isIn: boolean;
}

/** The times and fates of status writes, as the client sees them. */
class FatefulCluster extends ScriptedCluster {
  readonly writes: Write[] = [];
  mostInFlight = 0;
  #inFlight = 0;
  readonly #fates: Fate[];
  readonly #time: FakeClock;

  constructor(fates: readonly Fate[], clock: FakeClock) {
    super(clock);
    this.#fates = [...fates];
    this.#time = clock;
    const current = new Map<unknown, { fate: Fate; write: Write }>();
    this.before = async (call) => {
      const body = call.body as JsonObject | undefined;
      const status = body?.['status'] as JsonObject | undefined;
      if (call.verb !== 'patch' || status === undefined) return;
      const fate = this.#fates.shift() ?? { thereMs: 0, backMs: 0, fault: 'none' };
      const hasVersion = (body?.['metadata'] as JsonObject | undefined)?.['resourceVersion'] !== undefined;
      const write = { sentAt: clock.now(), done: Number(status['done']), hasVersion, isIn: false };
      this.writes.push(write);
      current.set(call, { fate, write });
      await this.#time.sleep(fate.thereMs);
      if (fate.fault === 'refused') throw new AppError('serverError', 'refused');
    };
    this.after = async (call) => {
      const mine = current.get(call);
      if (mine === undefined) return;
      mine.write.isIn = true;
      await this.#time.sleep(mine.fate.backMs);
      if (mine.fate.fault === 'lost') throw new AppError('unreachable', 'answer lost');
    };
  }

  override async patch(target: NamedTarget, patch: Patch, options?: PatchOptions): Promise<KubeObject> {
    if (!('status' in patch.body)) return super.patch(target, patch, options);
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    try {
      return await super.patch(target, patch, options);
    } finally {
      this.#inFlight -= 1;
    }
  }
}

const report = (done: number, state: Report['state']): Report => ({
  state,
  measures: [{ unit: 'items', done, total: { kind: 'unknown' } }],
  children: [],
});

async function setUp(fates: readonly Fate[]) {
  const clock = new FakeClock();
  const cluster = new FatefulCluster(fates, clock);
  const object = await cluster.create(TARGET, {
    apiVersion: 'velero.io/v1',
    kind: 'Restore',
    metadata: { name: 'r1' },
  });
  const publisher = new StatusPublisher(
    {
      target: TARGET,
      object,
      statusOf: (it) => ({ state: it.state, done: it.measures[0]?.done ?? 0 }),
      isOver: ({ status }) => (status as JsonObject | undefined)?.['state'] === 'completed',
      signal: new AbortController().signal,
      writeDeadlineMs: WRITE_DEADLINE_MS,
    },
    { kube: cluster, clock, log: recordingLog(), random: () => 0 },
  );
  const touch = () =>
    cluster.patch(TARGET, { kind: 'merge', body: { metadata: { labels: { at: String(clock.now()) } } } });
  return { clock, cluster, publisher, touch };
}

const waitMs = fc.integer({ min: 0, max: 1500 });
const step = fc.record({ op: fc.constantFrom('publish', 'publish', 'publish', 'touch'), waitMs });
const delayMs = fc.constantFrom(0, 0, 0, 10, 700, 2500);
const fate: fc.Arbitrary<Fate> = fc.record({
  thereMs: delayMs,
  backMs: delayMs,
  fault: fc.constantFrom('none', 'none', 'none', 'refused', 'lost'),
});

describe('StatusPublisher under any schedule', () => {
  it('keeps order and rate, one write in flight, and ends with the terminal write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.array(fate, { maxLength: 12 }), async (steps, fates) => {
        const { clock, cluster, publisher, touch } = await setUp(fates);
        let done = 0;
        for (const each of steps) {
          if (each.op === 'publish') publisher.publish(report((done += 1), 'running'));
          else await touch();
          await clock.advance(each.waitMs);
        }
        const last = done + 1;
        const finished = publisher.finish(report(last, 'completed'));
        await clock.advance(300_000);

        expect(await finished).toBe('written');
        expect(cluster.peek(TARGET)?.['status']).toEqual({ state: 'completed', done: last });
        expect(cluster.mostInFlight).toBe(1);
        expect(cluster.writes.every((write) => write.hasVersion)).toBe(true);
        const order = cluster.writes.filter((write) => write.isIn).map((write) => write.done);
        expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
        expect(order.at(-1)).toBe(last);
        const times = cluster.writes.filter((write) => write.isIn && write.done < last).map((write) => write.sentAt);
        const gaps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
        expect(Math.min(1000, ...gaps)).toBe(1000);
      }),
      { numRuns: 300 },
    );
  });

  it('sends every change within a second while the server answers promptly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(waitMs, { minLength: 1, maxLength: 20 }), async (waits) => {
        const { clock, cluster, publisher } = await setUp([]);
        const changedAt: number[] = [];
        for (const [i, ms] of waits.entries()) {
          publisher.publish(report(i, 'running'));
          changedAt.push(clock.now());
          await clock.advance(ms);
        }
        await clock.advance(1000);
        for (const [i, at] of changedAt.entries()) {
          const write = cluster.writes.find((each) => each.done >= i);
          expect(write).toBeDefined();
          expect((write?.sentAt ?? Infinity) - at).toBeLessThanOrEqual(1000);
        }
      }),
      { numRuns: 100 },
    );
  });
});
