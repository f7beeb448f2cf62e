import { expect, it } from 'vitest';
import type { EngineState, SessionCluster } from '../../../src/core/operations/index.ts';
import { groupNotes } from './group-notes.ts';

function cluster(name: string, engine: EngineState, missing: string[] = []): SessionCluster {
  const group = { name: 'kanister' as const, isSeen: missing.length === 0, missing, engine };
  return { name, login: 'token', namespace: 'velero', isWatched: true, groups: [group] };
}

it('says nothing of clusters where Headway works, or of groups that nobody told of', () => {
  expect(groupNotes('action', [cluster('a', { state: 'on' })])).toEqual([]);
  expect(groupNotes('migration', [cluster('a', { state: 'off' })])).toEqual([]);
});

it('says once what several clusters have in common, and what helps', () => {
  const off: EngineState = { state: 'off', reason: 'Kanister runs there', hint: 'Stop it with: kubectl scale x' };
  const [both, other] = groupNotes('action', [
    cluster('a', off),
    cluster('b', off),
    cluster('in-cluster', { state: 'off' }, ['ActionSet']),
  ]);
  expect(both).toMatchObject({
    title: 'Headway itself runs no actions in clusters a and b',
    text: 'Kanister runs there. Those that others run are shown all the same.',
    isWarning: true,
    commands: [{ words: 'Stop it with:', command: 'kubectl scale x' }],
  });
  expect(other).toMatchObject({
    title: 'There are no actions in cluster in-cluster',
    isWarning: false,
    commands: [{ words: 'Install:', command: 'headway install --crds-only' }],
  });
});
