import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { AppError, type JsonObject } from '../../../base/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import { FINALIZER } from './finalizer.ts';
import { isTakenByAnother, leftAloneMs } from './left-alone.ts';

const CREATED = Date.parse('2026-01-01T00:00:00Z');
const set = (more: { metadata?: JsonObject; status?: JsonObject; kind?: string } = {}): KubeObject => ({
  ...{ apiVersion: 'cr.kanister.io/v1alpha1', kind: 'ActionSet' },
  metadata: { name: 's', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z', ...more.metadata },
  spec: { actions: [{ name: 'a', object: { kind: more.kind ?? 'Pod', name: 'x', namespace: 'n' } }] },
  ...(more.status !== undefined && { status: more.status }),
});

/** A server whose clock is what matters here, and a clock of ours that is a year ahead. */
function serverAt(afterMs: number) {
  const asked: (boolean | undefined)[] = [];
  const create: KubeClient['create'] = (_, object, options) => {
    asked.push(options?.dryRun);
    const creationTimestamp = new Date(CREATED + afterMs).toISOString();
    return Promise.resolve({ ...object, metadata: { ...object.metadata, creationTimestamp } });
  };
  const clock = new FakeClock(CREATED + 365 * 24 * 3600_000);
  return { asked, deps: { clock, kube: { create } as KubeClient } };
}

const signal = new AbortController().signal;

describe('a set whose kind is not known', () => {
  it.each([
    [0, 11_000],
    [4_000, 7_000],
    [10_000, 1_000],
    [11_000, undefined],
    [86_400_000, undefined],
    // It cannot have been made in the future: another server's clock wrote it.
    [-3600_000, 11_000],
  ])('is left alone for ten seconds by the clock of the API server: after %i ms, %s', async (after, left) => {
    const { deps, asked } = serverAt(after);
    expect(await leftAloneMs(set(), deps, signal)).toBe(left);
    expect(asked).toEqual([true]);
  });

  it('counts by our own clock where the server does not tell the time', async () => {
    const create = (): Promise<never> => Promise.reject(new AppError('forbidden', 'no'));
    const clock = new FakeClock(CREATED + 3_000);
    expect(await leftAloneMs(set(), { clock, kube: { create } as unknown as KubeClient }, signal)).toBe(8_000);
  });

  it('is not waited for without a time', async () => {
    const undated = set({ metadata: { creationTimestamp: 'yesterday' } });
    expect(await leftAloneMs(undated, serverAt(0).deps, signal)).toBeUndefined();
  });
});

it.each<[string, Parameters<typeof set>[0], boolean]>([
  ['without a status', {}, false],
  ['that another one began', { status: { state: 'running' } }, true],
  ['that we began', { status: { state: 'running' }, metadata: { finalizers: [FINALIZER] } }, false],
  ['of a kind that we know', { status: { state: 'running' }, kind: 'deployment' }, false],
])('a set %s is taken by another: %#', (_, more, isTaken) => {
  expect(isTakenByAnother(set(more))).toBe(isTaken);
});
