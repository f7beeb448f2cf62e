import { expect, it } from 'vitest';
import { adapterFor, readOperation } from '../../core/operations/index.ts';
import { Printer } from '../print/printer.ts';
import { plainView, type Moment } from './watch-views.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

function moment(phase: string, version: string): Moment {
  const metadata = { name: 'nightly', namespace: 'velero' };
  const object = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata, spec: {}, status: { phase } };
  const operation = readOperation(adapterFor('Backup'), object, { cluster: 'c', now: NOW });
  return { now: NOW, seen: [{ operation, version }], troubles: [], silences: [] };
}

it('tells in a log how the last operation ended before it tells that nothing is running', () => {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text.trimEnd());
  const output = new Printer({ out: print, err: print, isTerminal: false, columns: 80 });
  const view = plainView(output, { isOne: false, programName: 'headway', where: () => ({}) });
  view.show(moment('InProgress', '1'));
  view.show(moment('Completed', '2'));
  expect(lines).toEqual([
    expect.stringMatching(/^● backup\/nightly\s+running/),
    expect.stringMatching(/^✓ backup\/nightly\s+completed/),
    '○ nothing is running; waiting for the next operation',
  ]);
});
