import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { adapterFor, type Operation, type OperationDetail } from '../../src/core/operations/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import type { StreamEvent } from '../server/event-stream.ts';
import { objectOf } from '../kube-kinds.ts';
import type { History } from './histories.ts';

const PLACES = { velero: 'velero', migration: 'openshift-migration', all: 'shop' };
const SPEED = 20;

export const placeOf = (kind: string): string => PLACES[adapterFor(kind).scope];

/** Writes one status after the other into the cluster, as fast as it happened times twenty. */
export async function play(kube: KubeClient, { kind, name, spec, moments }: History): Promise<void> {
  const { type } = adapterFor(kind);
  const namespace = placeOf(kind);
  await kube.create({ type, namespace }, objectOf(type, name, { spec }));
  const startedAt = performance.now();
  for (const { ms, status } of moments) {
    const wait = ms / SPEED - (performance.now() - startedAt);
    if (wait > 0) await delay(wait);
    // Whole, as a program that puts its object writes it: nothing of the status before stays.
    const body = [{ op: 'add' as const, path: '/status', value: status }];
    await kube.patch({ type, namespace, name }, { kind: 'json', body });
  }
}

/** What everybody who looks may rely on, of one operation from its first event to its last. */
export function judge({ name, ends, steps = [] }: History, events: readonly StreamEvent[]): void {
  const seen = events.flatMap(({ event, data }) => rowsOf(event, data)).filter(({ ref }) => ref.name === name);
  expect(seen.length, `${name} was seen`).toBeGreaterThan(0);
  const running = seen.filter(({ report }) => report.state === 'running');
  const percents = running.flatMap(({ report }) => report.percent ?? []);
  expect(percents, `the percent of ${name} never falls`).toEqual(percents.toSorted((a, b) => a - b));
  const numbers = running.flatMap(({ step }) => step?.number ?? []);
  expect(numbers, `the steps of ${name} are in order`).toEqual(numbers.toSorted((a, b) => a - b));
  for (const { step } of running) if (step !== undefined) expect(steps).toContain(step.name);
  const last = seen.at(-1);
  expect([name, last?.report.state]).toEqual([name, ends]);
  expect(last?.report.percent === 100).toBe(ends === 'completed');
}

function rowsOf(event: string, data: Record<string, unknown>): Operation[] {
  if (event === 'operation') return [data as unknown as Operation];
  return event === 'snapshot' ? (data['operations'] as Operation[]) : [];
}

/** What a page that shows all of it may rely on: one step runs, nothing before it has still to begin. */
export function judgeSteps(events: readonly StreamEvent[]): void {
  const details = events
    .filter(({ event }) => event === 'operation')
    .map(({ data }) => data as unknown as OperationDetail);
  expect(details.length).toBeGreaterThan(0);
  for (const { steps } of details) {
    const running = steps.findIndex(({ state }) => state === 'Running');
    expect(steps.filter(({ state }) => state === 'Running').length).toBeLessThanOrEqual(1);
    const before = running < 0 ? [] : steps.slice(0, running);
    expect(before.filter(({ state }) => state !== 'Completed')).toEqual([]);
  }
}

/** What somebody before a terminal may rely on. Returns how often it was seen running: some are over at once. */
export function judgeFrames({ kind, name, ends }: History, frames: readonly string[]): number {
  const { noun } = adapterFor(kind);
  const rows = frames.flatMap((frame) =>
    frame.split('\n').filter((line) => line.includes(`${noun}/`) && new RegExp(`[/(]${name}[ )]`).test(line)),
  );
  const running = rows.filter((row) => / (running|stalled) /.test(row));
  const numbers = (pattern: RegExp): number[] => running.flatMap((row) => pattern.exec(row)?.[1] ?? []).map(Number);
  const percents = numbers(/(\d+) %/);
  expect(percents, `the percent of ${name} never falls on a terminal`).toEqual(percents.toSorted((a, b) => a - b));
  const steps = numbers(/step (\d+) of/);
  expect(steps, `the steps of ${name} are in order on a terminal`).toEqual(steps.toSorted((a, b) => a - b));
  // Only the last that ended are still shown.
  const ended = rows.filter((row) => row.includes(` ${ends} `));
  for (const row of ended) expect([name, row.includes('100 %')]).toEqual([name, ends === 'completed']);
  return running.length;
}
