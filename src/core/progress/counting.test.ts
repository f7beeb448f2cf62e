import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exact, feed, ItemCounting, newMeter, takeReport, type ItemKey, type Outcome } from './index.ts';

const item = (name: string): ItemKey => ({ groupResource: 'configmaps', namespace: 'shop', name });
const OUTCOMES = ['created', 'updated', 'skipped', 'failed'] as const satisfies Outcome[];

describe('the worked examples of the design', () => {
  it('sa, pod, cm, job: the pod adds cm and pc', () => {
    const sa = { groupResource: 'serviceaccounts', namespace: 'shop', name: 'sa' };
    const pod = { groupResource: 'pods', namespace: 'shop', name: 'pod' };
    const cm = { groupResource: 'configmaps', namespace: 'shop', name: 'cm' };
    const pc = { groupResource: 'priorityclasses.scheduling.k8s.io', name: 'pc' };
    const job = { groupResource: 'jobs.batch', namespace: 'shop', name: 'job' };
    const counting = new ItemCounting();
    let meter = feed(newMeter(0), { kind: 'start' }, 0);
    const seen = (): [number, unknown, number | undefined] => {
      const { done, total } = counting.measure();
      meter = feed(meter, { kind: 'measure', unit: 'items', done, total, counts: counting.counts() }, 0);
      const taken = takeReport(meter, 0);
      meter = taken.meter;
      return [done, total, taken.report.percent];
    };

    for (const collected of [sa, pod, cm, job]) counting.plan(collected);
    expect(seen()).toEqual([0, exact(4), 0]);
    counting.settle(sa, 'created');
    expect(seen()).toEqual([1, exact(4), 25]);
    for (const added of [cm, pc]) counting.plan(added);
    for (const answered of [cm, pc, pod]) counting.settle(answered, 'created');
    expect(seen()).toEqual([4, exact(5), 80]);
    expect(counting.isSettled(cm)).toBe(true);
    expect(seen()).toEqual([4, exact(5), 80]);
    expect(counting.isSettled(job)).toBe(false);
    counting.settle(job, 'skipped');
    expect(seen()).toEqual([5, exact(5), 99]);
    meter = feed(meter, { kind: 'end', state: 'completed' }, 0);
    expect(seen()).toEqual([5, exact(5), 100]);
    expect(counting.counts()).toEqual({ created: 4, updated: 0, skipped: 1, failed: 0 });
  });

  it('60 items discovered at 80 of 100: the percent stays 80 and the counts say 80 of 160', () => {
    let meter = feed(newMeter(0), { kind: 'start' }, 0);
    meter = feed(meter, { kind: 'measure', unit: 'items', done: 80, total: exact(100) }, 0);
    const before = takeReport(meter, 0);
    expect(before.report.percent).toBe(80);
    meter = feed(before.meter, { kind: 'measure', unit: 'items', total: exact(160) }, 0);
    const after = takeReport(meter, 0).report;
    expect(after.percent).toBe(80);
    expect(after.measures).toEqual([{ unit: 'items', done: 80, total: exact(160) }]);
  });
});

describe('counting', () => {
  it('keeps items apart by resource, namespace and name', () => {
    const counting = new ItemCounting();
    counting.plan({ groupResource: 'pods', namespace: 'a', name: 'x' });
    counting.plan({ groupResource: 'pods', namespace: 'b', name: 'x' });
    counting.plan({ groupResource: 'pods', name: 'x' });
    counting.plan({ groupResource: 'pods.metrics.k8s.io', namespace: 'a', name: 'x' });
    expect(counting.measure().total).toEqual(exact(4));
  });

  it('gives away a copy of its counts', () => {
    const counting = new ItemCounting();
    counting.counts().created = 7;
    expect(counting.counts().created).toBe(0);
  });

  it('law 6: done is the sum of the outcomes, never more than planned, never falling, whatever comes twice', () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      outcome: fc.option(fc.constantFrom(...OUTCOMES)),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const counting = new ItemCounting();
        let done = 0;
        let total = 0;
        for (const { name, outcome } of steps) {
          if (outcome === null) counting.plan(item(name));
          else counting.settle(item(name), outcome);
          const measure = counting.measure();
          const { created, updated, skipped, failed } = counting.counts();
          expect(measure.done).toBe(created + updated + skipped + failed);
          const value = measure.total.kind === 'exact' ? measure.total.value : Number.NaN;
          expect(measure.done).toBeGreaterThanOrEqual(done);
          expect(value).toBeGreaterThanOrEqual(Math.max(total, measure.done));
          [done, total] = [measure.done, value];
        }
        const settled = new Set(steps.filter((s) => s.outcome !== null).map((s) => s.name));
        expect([done, total]).toEqual([settled.size, new Set(steps.map((s) => s.name)).size]);
      }),
    );
  });

  it('law 6: the order in which two workers are answered does not change what counts as created', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...OUTCOMES, ...OUTCOMES], { minLength: 1 }), (answers) => {
        const counting = new ItemCounting();
        for (const answer of answers) counting.settle(item('x'), answer);
        const best = OUTCOMES.find((outcome) => answers.includes(outcome));
        expect(Object.entries(counting.counts()).filter(([, n]) => n > 0)).toEqual([[best, 1]]);
      }),
    );
  });
});

describe('the seed formula', () => {
  /**
   * Seed 004, serial: `restoredItems` contains what was restored, including additional items; after the i-th collected
   * item the total is len(restoredItems) + (totalItems - i). Without overlap (no additional item is also collected) and
   * without skips, both give the same count after every collected item.
   */
  it('len(restoredItems) + (totalItems - i) equals the planned set in a serial run', () => {
    const plan = fc.array(fc.nat(4), { maxLength: 30 });
    fc.assert(
      fc.property(plan, fc.nat(5), (additional, distinct) => {
        const counting = new ItemCounting();
        additional.forEach((_count, index) => {
          counting.plan(item(`collected-${String(index)}`));
        });
        const restored = new Set<string>();
        additional.forEach((count, index) => {
          for (let k = 0; k < count; k += 1) {
            // Several items may need the same additional item, as pods need their service account.
            const name = `extra-${String((index * 7 + k) % (distinct * 10 + 1))}`;
            restored.add(name);
            counting.settle(item(name), 'created');
          }
          restored.add(`collected-${String(index)}`);
          counting.settle(item(`collected-${String(index)}`), 'created');
          const seedTotal = restored.size + (additional.length - (index + 1));
          expect(counting.measure()).toEqual({ unit: 'items', done: restored.size, total: exact(seedTotal) });
        });
      }),
    );
  });
});
