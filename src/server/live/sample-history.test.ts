import { expect, it } from 'vitest';
import type { Operation } from '../../core/operations/index.ts';
import { SampleHistory } from './sample-history.ts';

function running(name: string, rate: number, uid = name): Operation {
  return {
    id: `c.restore.velero.${name}`,
    cluster: 'c',
    noun: 'restore',
    ref: { apiVersion: 'velero.io/v1', kind: 'Restore', name, uid },
    phase: 'InProgress',
    report: { state: 'running', stage: 'restoring', ratePerSecond: rate, measures: [], children: [] },
    createdAt: '',
    facts: {},
    problems: [],
    errors: 0,
    warnings: 0,
  };
}

it('keeps what an operation did, also after its end, until it is deleted', () => {
  const history = new SampleHistory();
  history.see(running('a', 10), 1000);
  history.see(running('a', 20), 2000);
  const ended = { ...running('a', 0), report: { state: 'completed' as const, measures: [], children: [] } };
  history.see(ended, 3000);
  expect(history.of(ended)).toEqual([
    { at: 1000, rate: 10, stage: 'restoring' },
    { at: 2000, rate: 20, stage: 'restoring' },
  ]);
  expect(history.of(running('a', 1, 'another of this name'))).toEqual([]);
  history.forget(ended.id);
  expect(history.of(ended)).toEqual([]);
});

it('is bounded, for one operation and for all', () => {
  const history = new SampleHistory();
  for (let at = 0; at < 3000; at += 1) history.see(running('long', at), at);
  expect(history.of(running('long', 0)).length).toBeLessThanOrEqual(240);
  for (let at = 0; at < 500; at += 1) history.see(running(`op-${String(at)}`, 1), at);
  expect(history.of(running('long', 0))).toEqual([]);
  expect(history.of(running('op-0', 0))).toHaveLength(1);
});
