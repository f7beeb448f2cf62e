import { expect, it } from 'vitest';
import type { OperationStep } from '../../core/operations/index.ts';
import { stepLines } from './step-lines.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 10);
const step = (number: number, fields: Partial<OperationStep>): OperationStep => ({
  number,
  name: `Step${String(number)}`,
  state: 'Not started',
  measures: [],
  lines: [],
  ...fields,
});

it('shows what each step took, the running one opened, and a canceled one other than a failed one', () => {
  const steps = [
    step(1, {
      name: 'Prepare',
      state: 'Completed',
      startedAt: '2026-01-01T12:00:00Z',
      endedAt: '2026-01-01T12:00:42Z',
      sentence: 'The plan is read.',
    }),
    step(2, {
      name: 'DataBackup',
      state: 'Running',
      startedAt: '2026-01-01T12:09:00Z',
      percent: 43,
      measures: [{ unit: 'bytes', done: 2_040_109_465, total: { kind: 'exact', value: 4_724_464_025 } }],
      etaSeconds: 29,
      phase: 'StageBackupCreated',
      sentence: 'The data of the volumes is backed up.',
      lines: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    }),
    step(3, { name: 'DataRestore', state: 'Failed', startedAt: 'nonsense', endedAt: '2026-01-01T12:00:42Z' }),
    step(4, { name: 'Restore', state: 'Canceled' }),
    step(5, { name: 'Cleanup', state: 'Skipped' }),
    step(6, { name: 'unlock', isDeferred: true }),
  ];
  expect(stepLines(steps, NOW).join('\n')).toMatchInlineSnapshot(`
    "  ✓ Prepare      42 s
      ● DataBackup   1 min so far  43 %  1.9 of 4.4 GiB  29 s left
          StageBackupCreated: The data of the volumes is backed up.
          a
          b
          c
          d
          e
          … and 2 more
      ✕ DataRestore  failed
      ✕ Restore      canceled
      – Cleanup      skipped
      ○ unlock       runs at the end"
  `);
});

it('names the action above the phases of each', () => {
  const steps = [
    step(1, { of: 'backup of statefulset shop/a', state: 'Completed' }),
    step(2, { of: 'backup of statefulset shop/a', state: 'Running' }),
    step(3, { of: 'backup of statefulset shop/b' }),
  ];
  expect(stepLines(steps, NOW)).toEqual([
    '  backup of statefulset shop/a',
    '  ✓ Step1',
    '  ● Step2',
    '  backup of statefulset shop/b',
    '  ○ Step3',
  ]);
});
