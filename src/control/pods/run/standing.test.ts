import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson, type JsonObject } from '../../../base/index.ts';
import { standingOf } from './standing.ts';

const recorded = new Map(
  readFileSync(new URL('../../../../test/fixtures/pods/situations.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject)
    .map(({ name, pod }) => [name, pod as JsonObject]),
);

const pod = (phase: string, state: JsonObject, more: JsonObject = {}, restartPolicy = 'Never'): JsonObject => ({
  metadata: { namespace: 'shop', name: 'p' },
  spec: { restartPolicy },
  status: { phase, containerStatuses: [{ name: 'main', restartCount: 0, state, ...more }] },
});
const ended = (exitCode: number): JsonObject => ({ terminated: { exitCode, reason: 'Error' } });

describe('standingOf', () => {
  it.each([
    ['unschedulable', { state: 'waiting' }],
    ['config', { state: 'waiting' }],
    ['runs', { state: 'running', run: 0 }],
    ['done', { state: 'ended', run: 0, exitCode: 0 }],
    ['exit 3', { state: 'ended', run: 0, exitCode: 3 }],
    ['oom', { state: 'broken', run: 0, diagnosis: { reason: 'OOMKilled' } }],
    ['evicted', { state: 'broken', run: 0, diagnosis: { reason: 'Evicted' } }],
    ['deadline', { state: 'broken', run: 0, diagnosis: { reason: 'DeadlineExceeded' } }],
    ['start error', { state: 'broken', run: 0, diagnosis: { reason: 'StartError' } }],
    ['init failed', { state: 'broken', run: undefined, diagnosis: { reason: 'InitFailed' } }],
    ['crash', { state: 'running' }],
    ['crash oom', { state: 'running' }],
  ])('of a real pod that is %s', (name, standing) => {
    expect(standingOf(recorded.get(name) ?? expect.fail(name), 'main')).toMatchObject(standing);
  });

  it('is the end of the program, also while another container of the pod still runs', () => {
    expect(standingOf(pod('Running', ended(0)), 'main')).toEqual({ state: 'ended', run: 0, exitCode: 0 });
  });

  it('is not that of another container, while the pod goes on', () => {
    const oom = { name: 'beside', restartCount: 0, state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } };
    const mixed = pod('Running', ended(3));
    (mixed['status'] as { containerStatuses: JsonObject[] }).containerStatuses.push(oom);
    expect(standingOf(mixed, 'main')).toEqual({ state: 'ended', run: 0, exitCode: 3 });
    expect(standingOf(mixed, 'beside')).toMatchObject({ state: 'broken', diagnosis: { reason: 'OOMKilled' } });
  });

  it('is no end while the program is to be started again', () => {
    expect(standingOf(pod('Running', ended(1), {}, 'OnFailure'), 'main')).toEqual({ state: 'running', run: 0 });
    expect(standingOf(pod('Running', ended(0), {}, 'OnFailure'), 'main')).toMatchObject({ state: 'ended' });
    expect(standingOf(pod('Running', ended(0), {}, 'Always'), 'main')).toMatchObject({ state: 'running' });
    const waiting = { waiting: { reason: 'CrashLoopBackOff' } };
    const between = pod('Running', waiting, { restartCount: 2, lastState: ended(1) }, 'OnFailure');
    expect(standingOf(between, 'main')).toEqual({ state: 'running', run: 2 });
  });

  it.each(['Unknown', 'ContainerStatusUnknown'])(
    'is no exit code where the node only knows that it has ended (%s)',
    (reason) => {
      expect(standingOf(pod('Failed', { terminated: { exitCode: 255, reason } }), 'main')).toMatchObject({
        state: 'broken',
        diagnosis: {
          reason,
          code: 'unreachable',
          cause: 'pod shop/p: container main has ended, and its node does not know how',
        },
      });
    },
  );

  it('is a failure without an exit code for a pod that never got so far', () => {
    const failed = { metadata: { namespace: 'shop', name: 'p' }, status: { phase: 'Failed', reason: 'NewReason' } };
    expect(standingOf(failed, 'main')).toMatchObject({
      state: 'broken',
      diagnosis: { reason: 'PodFailed', cause: 'pod shop/p has failed: NewReason' },
    });
  });
});
