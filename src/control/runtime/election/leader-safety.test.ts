import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, NO_LOG, type CancelSignal, type Clock } from '../../../base/index.ts';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/port.ts';
import { Leader } from './leader.ts';

interface Trouble {
  /** Offset of the wall clock at the start. */
  skewMs: number;
  /** How fast its timers and clocks run. */
  rate: number;
  /** When the process is stopped (by SIGSTOP or a suspended machine), and for how long. */
  pauses: { atMs: number; forMs: number }[];
  /** When the wall clock is set. */
  jumps: { atMs: number; byMs: number }[];
  /** For its calls in order: the delay there, the delay back, and what is lost. */
  calls: { thereMs: number; backMs: number; fault: 'none' | 'unsent' | 'lost' }[];
  /** Releases the lease and campaigns again after working for this long. */
  termMs: number;
}
interface Step {
  at: number;
  node: number;
  term: number;
}

/** One process in trouble: its clock is wrong, its network slow, and it is suspended now and then. */
class TroubledNode implements Clock {
  readonly #base: FakeClock;
  readonly #trouble: Trouble;
  readonly #bornAt: number;
  #calls = 0;

  constructor(trouble: Trouble, base: FakeClock) {
    this.#trouble = trouble;
    this.#base = base;
    this.#bornAt = base.now();
  }

  uptime(): number {
    return (this.#base.now() - this.#bornAt) * this.#trouble.rate;
  }

  now(): number {
    const age = this.#base.now() - this.#bornAt;
    const jumped = this.#trouble.jumps.filter(({ atMs }) => atMs <= age).reduce((sum, { byMs }) => sum + byMs, 0);
    return this.#bornAt + this.uptime() + this.#trouble.skewMs + jumped;
  }

  async sleep(ms: number, signal?: CancelSignal): Promise<void> {
    await this.#base.sleep(ms / this.#trouble.rate, signal);
    await this.awake();
  }

  /** Nothing happens in a suspended process. */
  async awake(): Promise<void> {
    const age = this.#base.now() - this.#bornAt;
    const pause = this.#trouble.pauses.find(({ atMs, forMs }) => atMs <= age && age < atMs + forMs);
    if (pause === undefined) return;
    await this.#base.sleep(pause.atMs + pause.forMs - age);
    await this.awake();
  }

  /** The cluster over this node's network. */
  kube(cluster: ScriptedCluster): Kube {
    const through = async (send: () => Promise<KubeObject>): Promise<KubeObject> => {
      const { calls } = this.#trouble;
      const fate = calls[this.#calls++ % Math.max(1, calls.length)] ?? { thereMs: 0, backMs: 0, fault: 'none' };
      await this.#base.sleep(fate.thereMs);
      if (fate.fault === 'unsent') throw new AppError('unreachable', 'not sent');
      const answer = await send().then(
        (object) => ({ object }),
        (error: unknown) => ({ error }),
      );
      await this.#base.sleep(fate.backMs);
      await this.awake();
      if (fate.fault === 'lost') throw new AppError('unreachable', 'answer lost');
      if ('error' in answer) throw answer.error;
      return answer.object;
    };
    const partial: Pick<Kube, 'get' | 'create' | 'replace'> = {
      get: (target) => through(() => cluster.get(target)),
      create: (target, object) => through(() => cluster.create(target, object)),
      replace: (target, object) => through(() => cluster.replace(target, object)),
    };
    return partial as Kube;
  }
}

/** Campaigns, works in steps of 100 ms that each check the lease first, releases it, and starts again. */
async function live(node: TroubledNode, leader: Leader, record: (term: number) => void, trouble: Trouble) {
  for (let term = 0; ; term += 1) {
    const leadership = await leader.acquire(new AbortController().signal);
    const until = node.uptime() + trouble.termMs;
    while (leader.isLeading() && node.uptime() < until) {
      record(term);
      await node.sleep(100, leadership.signal).catch(() => undefined);
    }
    await leadership.release(3000);
  }
}

async function play(troubles: readonly Trouble[]): Promise<Step[]> {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const steps: Step[] = [];
  for (const [index, trouble] of troubles.entries()) {
    const node = new TroubledNode(trouble, clock);
    const leader = new Leader(
      { namespace: 'velero', name: 'headway', identity: `node-${index}` },
      { kube: node.kube(cluster), clock: node, log: NO_LOG, random: () => 0 },
    );
    void live(node, leader, (term) => steps.push({ at: clock.now(), node: index, term }), trouble);
  }
  await clock.advance(180_000);
  return steps;
}

interface Term {
  node: number;
  first: number;
  last: number;
}

/** Terms of different nodes where one began before the other had made its last step. */
function overlaps(steps: readonly Step[]): [Term, Term][] {
  const terms = new Map<string, Term>();
  for (const { node, term, at } of steps) {
    const key = `${node}/${term}`;
    terms.set(key, { node, first: terms.get(key)?.first ?? at, last: at });
  }
  const all = [...terms.values()];
  return all.flatMap((a, i) =>
    all
      .slice(i + 1)
      .filter((b) => a.node !== b.node && a.first <= b.last && b.first <= a.last)
      .map((b): [Term, Term] => [a, b]),
  );
}

const calm: Trouble = { skewMs: 0, rate: 1, pauses: [], jumps: [], calls: [], termMs: 1e9 };
const delayMs = fc.constantFrom(0, 5, 5, 300, 3000, 9000, 14_000);
const trouble: fc.Arbitrary<Trouble> = fc.record({
  skewMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  rate: fc.constantFrom(0.9, 1, 1.1),
  pauses: fc.array(fc.record({ atMs: fc.nat(150_000), forMs: fc.integer({ min: 1000, max: 40_000 }) }), {
    maxLength: 3,
  }),
  jumps: fc.array(fc.record({ atMs: fc.nat(150_000), byMs: fc.integer({ min: -60_000, max: 60_000 }) }), {
    maxLength: 2,
  }),
  calls: fc.array(
    fc.record({ thereMs: delayMs, backMs: delayMs, fault: fc.constantFrom('none', 'none', 'none', 'unsent', 'lost') }),
    { maxLength: 8 },
  ),
  termMs: fc.constantFrom(5000, 30_000, 1e9),
});

// A bug in the order of marks and messages needs several hundred schedules to show up; the campaign takes that time.
const RUNS = process.env['HEADWAY_CAMPAIGN'] === undefined ? { numRuns: 30, seed: 1 } : { numRuns: 1000 };

describe('leader election', () => {
  it('works all the time when nothing is wrong, and takes over from one that stands still', async () => {
    const steps = await play([{ ...calm, pauses: [{ atMs: 60_000, forMs: 60_000 }] }, calm]);
    expect(steps.length).toBeGreaterThan(1500);
    expect(overlaps(steps)).toEqual([]);
    expect(new Set(steps.map((step) => step.node))).toEqual(new Set([0, 1]));
  });

  it('never has two at work, whatever clocks, pauses and the network do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trouble, { minLength: 2, maxLength: 3 }), async (troubles) => {
        expect(overlaps(await play(troubles))).toEqual([]);
      }),
      RUNS,
    );
  }, 300_000);
});
