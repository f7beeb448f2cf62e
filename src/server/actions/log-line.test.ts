import { expect, it } from 'vitest';
import { setLine } from './log-line.ts';
import { setPhases, turnOf, type SetPhase } from './set-phases.ts';

const AT = Date.parse('2026-01-01T00:00:00Z');
const phase: SetPhase = {
  ref: { action: 0, phase: 0 },
  attempt: 1,
  action: 'backup',
  name: 'dump',
  state: 'running',
  reason: undefined,
};

it('writes what a pod prints as a line of a log, with where it comes from', () => {
  expect(setLine(AT, 'info', 'copied 3 files', { phase, pod: 'shop/kanister-job-abcde' })).toBe(
    'time="2026-01-01T00:00:00Z" level=info msg="copied 3 files" phase=dump action=backup pod=shop/kanister-job-abcde\n',
  );
});

it('shows neither control characters nor secrets, and only the last of what a line was written over with', () => {
  const line = setLine(AT, 'info', '10%\r50%\r\u001b[31m100% PASSWORD=hunter2\u202e\r', {});
  expect(line).toContain(String.raw`msg="\\x1b[31m100% PASSWORD=***`);
  expect(line).not.toMatch(/hunter2|\u001b|\u202e|50%/);
  expect(line.split('\n')).toHaveLength(2);
  expect(setLine(AT, 'info', 'x'.repeat(10_000_000), { pod: 'n\n' }).length).toBeLessThan(9000);
});

it('reads phases whoever wrote them, and tells of each turn', () => {
  const set = (status: unknown) => ({ apiVersion: '', kind: '', metadata: { name: 'x' }, status }) as never;
  const actions = [
    {
      name: 'a',
      phases: [
        { name: 'one', state: 'complete' },
        { attempt: 2, state: 'running' },
      ],
      deferPhase: {},
    },
    { phases: 'none', deferPhase: { name: 'last', state: 'failed', reason: 'no disk' } },
  ];
  const phases = setPhases(set({ actions }));
  expect(phases.map(({ ref, name }) => [ref.action, ref.phase, name])).toEqual([
    [0, 0, 'one'],
    [0, 1, ''],
    [1, 'defer', 'last'],
  ]);
  expect(phases.map((each) => turnOf(each)?.message)).toEqual([
    'phase is complete',
    'phase begins, attempt 2',
    'phase failed: no disk',
  ]);
  expect(turnOf({ ...phase, state: 'pending' })).toBeUndefined();
  expect(setPhases(set({ actions: 7 }))).toEqual([]);
});
