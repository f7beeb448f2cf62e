import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manifests } from '../../../test/manifests.ts';
import { isObject, type Json, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { ADAPTERS, findAdapter, readDetail, type Adapter, type OperationStep } from './index.ts';
import { MAX_STEPS } from './step-window.ts';
import { cpuMs } from '../../../test/cpu-time.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const STATES = ['pending', 'running', 'completed', 'partiallyFailed', 'failed', 'canceled'];
const STEP_STATES = ['Not started', 'Running', 'Completed', 'Failed', 'Canceled', 'Skipped'];

const EXAMPLES = (['test/fixtures/seeds', 'test/fixtures/upstream', 'test/fixtures/objects'] as const)
  .flatMap((folder) => manifests(folder))
  .map(({ object }) => object as unknown as KubeObject)
  .filter(({ kind }) => findAdapter(kind) !== undefined);

/** What somebody may have written into any field. */
const anything: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    0,
    -1,
    1e308,
    2n ** 63n,
    '',
    'True',
    'Failed',
    'Step: 0/0',
    'Step: 9/3',
    '12:448:55Z',
  ),
  fc.constantFrom<Json>(
    '340%',
    '6/9 items backed up',
    '12,30 MB von 1,20 GB gesichert',
    '٦ من ٩',
    '已备份 6 个，共 9 个',
  ),
  fc.constantFrom<Json>([], {}, [null], [[]], { name: 7 }, ['__proto__'], { constructor: {} }),
  fc.integer(),
  fc.double(),
  fc.string(),
);

/** The same object with some of its values replaced by others, removed, or put where they do not belong. */
function damaged(value: Json, at: () => number, replace: () => Json): Json {
  const dice = at();
  if (dice < 0.06) return replace();
  if (Array.isArray(value)) return value.map((each) => damaged(each, at, replace));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined && at() > 0.05);
  return Object.fromEntries(kept.map(([key, each]) => [key, damaged(each, at, replace)]));
}

function check(adapter: Adapter, object: KubeObject): void {
  const detail = readDetail(adapter, object, { cluster: 'c', now: NOW });
  const { report, steps, stepsTotal, step } = detail;
  expect(STATES).toContain(report.state);
  expect(typeof detail.phase).toBe('string');
  if (report.percent !== undefined) {
    expect(Number.isInteger(report.percent) && report.percent >= 0 && report.percent <= 100).toBe(true);
    expect(report.percent === 100).toBe(report.state === 'completed');
  }
  if (report.exactPercent !== undefined) {
    expect(report.exactPercent).toBeLessThanOrEqual(report.state === 'completed' ? 100 : 99.99);
    expect(Math.floor(report.exactPercent)).toBeLessThanOrEqual(Math.max(report.percent ?? 0, 99));
  }
  for (const { done, total } of [...report.measures, ...steps.flatMap(({ measures }) => measures)]) {
    expect(Number.isSafeInteger(done) && done >= 0).toBe(true);
    if (total.kind !== 'unknown') expect(total.value).toBeGreaterThanOrEqual(done);
  }
  expect(steps.length).toBeLessThanOrEqual(MAX_STEPS);
  expect(stepsTotal).toBeGreaterThanOrEqual(steps.length);
  for (const each of steps) expect(STEP_STATES).toContain(each.state);
  if (step !== undefined) expect(step.number >= 1 && step.number <= step.of).toBe(true);
  expect(detail.errors >= 0 && detail.warnings >= 0).toBe(true);
}

describe('whatever somebody wrote', () => {
  it('is read without an error, and shows nothing that is impossible', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EXAMPLES),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.infiniteStream(anything),
        (example, dice, values) => {
          const adapter = findAdapter(example.kind);
          const roll = (): number => Number(dice.next().value);
          const value = (): Json => values.next().value as Json;
          const { status, spec, metadata } = example as unknown as Record<'status' | 'spec' | 'metadata', JsonObject>;
          const object = {
            ...example,
            spec: damaged(spec, roll, value),
            status: damaged(status, roll, value),
            // An API server sees to the types of these.
            metadata: { ...(damaged(metadata, roll, value) as JsonObject), name: 'x', namespace: 'y' },
          };
          check(adapter as Adapter, object);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(ADAPTERS.map((adapter) => [adapter.type.kind, adapter] as const))(
    '%s needs no field at all',
    (kind, adapter) => {
      for (const status of [
        undefined,
        null,
        7,
        [],
        'x',
        {},
        { conditions: 7, progress: [], pipeline: {}, actions: 'x' },
      ]) {
        const object = { apiVersion: 'v1', kind, metadata: { name: 'x' }, spec: null, status };
        check(adapter, object);
      }
    },
  );
});

const migration = (status: JsonObject): KubeObject => ({
  apiVersion: 'migration.openshift.io/v1alpha1',
  kind: 'MigMigration',
  metadata: { name: 'm', namespace: 'openshift-migration' },
  spec: {},
  status,
});
const detailOf = (object: KubeObject) =>
  readDetail(findAdapter(object.kind) as Adapter, object, { cluster: 'c', now: NOW });

describe('a pipeline of 500 steps', () => {
  const at = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
  const pipeline = Array.from({ length: 500 }, (_, n) => ({
    name: `Step${String(n + 1)}`,
    ...(n < 300 ? { started: at(n), completed: at(n + 1) } : n === 300 ? { started: at(n) } : {}),
    progress: Array.from({ length: 200 }, (_v, line) => `Pod a/b: line ${String(line)}`),
  }));
  const detail = detailOf(migration({ pipeline, startTimestamp: at(0) }));

  it('shows the running one with those around it, and where it is among all', () => {
    expect(detail.step).toEqual({ number: 301, of: 500, name: 'Step301' });
    expect(detail.stepsTotal).toBe(500);
    expect(detail.steps).toHaveLength(MAX_STEPS);
    const numbers = detail.steps.map(({ number }) => number);
    expect([numbers[0], numbers.at(-1)]).toEqual([251, 350]);
  });

  it('keeps a bounded number of lines of each', () => {
    const longest = Math.max(...detail.steps.map(({ lines }: OperationStep) => lines.length));
    expect(longest).toBe(100);
  });
});

describe('progress in another language', () => {
  const running = (...progress: string[]): KubeObject =>
    migration({
      conditions: [{ type: 'Running', status: 'True', reason: 'StageBackupCreated', message: 'Step: 18/33' }],
      pipeline: [{ name: 'DataBackup', started: '2026-01-01T00:00:00Z', phase: 'StageBackupCreated', progress }],
    });

  it.each([
    'Sicherung shop/a: 6 von geschätzt 9 Objekten gesichert',
    'Backup shop/a: 12,30 MB sur 1,20 GB sauvegardés',
    'バックアップ中: 9 個中 6 個',
    'تم نسخ ٦ من ٩',
  ])('%s gives no number, and is shown as it is', (line) => {
    const { report, steps } = detailOf(running(line));
    expect(report.percent).toBe(51);
    expect(report.current).toBe(line);
    expect(steps[0]).toMatchObject({ lines: [line], measures: [] });
    expect(steps[0]).not.toHaveProperty('percent');
  });

  it('takes no number out of a name', () => {
    const { report } = detailOf(running('Backup shop/6-out-of-9: waiting', 'Pod shop/web-50%: Running'));
    expect(report.percent).toBe(51);
  });

  it('is not slow, however it was made', () => {
    const claims = (text: string): void => {
      const message = `the data of 134 claims is not in the backup: ${text}`;
      const status = { conditions: [{ type: 'VolumeDataMissing', status: 'True', message }] };
      detailOf({ apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero' }, status });
    };
    const ms = cpuMs(() => {
      detailOf(running(...Array.from({ length: 100 }, () => `${'1'.repeat(200)}${' out of'.repeat(30_000)}`)));
      detailOf(running(`[${'a'.repeat(200_000)}`, `1 total x; ${'1 failed; '.repeat(50_000)}`));
      for (const text of ['a', 'a/b', 'a/b, ', 'a/b (', 'a/b; ', 'a/b (c); ']) claims(`${text.repeat(60_000)}!`);
    });
    expect(ms).toBeLessThan(2000);
  });
});
