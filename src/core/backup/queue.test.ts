import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BACKUP_TRANSITIONS, isEnded, mayBecome } from './phases.ts';
import { decideQueue, nextPosition, type QueuedBackup } from './queue.ts';
import { selectNamespaces } from '../selection/index.ts';

const EXISTING = ['a', 'b', 'c'];
const backup = (
  name: string,
  phase: QueuedBackup['phase'],
  included: string[],
  queuePosition?: number,
): QueuedBackup => ({
  name,
  phase,
  namespaces: selectNamespaces({ includedNamespaces: included }, EXISTING),
  ...(queuePosition === undefined ? {} : { queuePosition }),
});

describe('decideQueue', () => {
  it('starts as many as may run, in their order', () => {
    const backups = [backup('2', 'Queued', ['b'], 2), backup('1', 'Queued', ['a'], 1), backup('3', 'Queued', ['c'], 3)];
    expect(decideQueue(backups, 2)).toEqual({
      start: ['1', '2'],
      waiting: [{ name: '3', position: 1, reason: '2 backups are running' }],
    });
    expect(decideQueue([...backups, backup('0', 'InProgress', ['a'])], 1).start).toEqual([]);
  });

  it('lets nobody past one it shares a namespace with, running or queued', () => {
    const backups = [
      backup('r', 'InProgress', ['a']),
      backup('1', 'Queued', ['a', 'b'], 1),
      backup('2', 'Queued', ['b'], 2),
      backup('3', 'Queued', ['c'], 3),
    ];
    const { start, waiting } = decideQueue(backups, 9);
    expect(start).toEqual(['3']);
    expect(waiting.map(({ name, position, reason }) => [name, position, reason])).toEqual([
      ['1', 1, 'backup r has the same namespaces and is ahead'],
      ['2', 2, 'backup 1 has the same namespaces and is ahead'],
    ]);
  });

  it('lets a whole backup run alone', () => {
    const all = backup('all', 'Queued', ['*'], 2);
    expect(decideQueue([backup('r', 'ReadyToStart', ['none']), all], 9).start).toEqual([]);
    expect(decideQueue([all, backup('late', 'Queued', ['a'], 3)], 9).start).toEqual(['all']);
  });

  it('never runs too many, never two that overlap, and never forgets one', () => {
    const one = fc.tuple(
      fc.constantFrom('Queued', 'InProgress', 'Completed'),
      fc.subarray(EXISTING, { minLength: 1 }),
      fc.nat(9),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), (given, concurrent) => {
        const backups = given.map(([phase, names, place], at) => backup(String(at), phase as 'Queued', names, place));
        const { start, waiting } = decideQueue(backups, concurrent);
        const queued = backups.filter(({ phase }) => phase === 'Queued').map(({ name }) => name);
        expect([...start, ...waiting.map(({ name }) => name)].toSorted()).toEqual(queued.toSorted());
        const running = backups.filter(({ phase }) => phase === 'InProgress').length;
        if (start.length > 0) expect(running + start.length).toBeLessThanOrEqual(concurrent);
        const started = backups
          .filter(({ name }) => start.includes(name))
          .flatMap(({ namespaces }) => namespaces.chosen);
        expect(new Set(started).size).toBe(started.length);
      }),
    );
  });

  it('gives a new one the last place', () => {
    expect(nextPosition([])).toBe(1);
    expect(nextPosition([2, 4, undefined])).toBe(5);
  });
});

describe('phases', () => {
  it('know what may follow', () => {
    expect(mayBecome(undefined, 'Queued')).toBe(true);
    expect(mayBecome('InProgress', 'InProgress')).toBe(true);
    expect(mayBecome('InProgress', 'Completed')).toBe(false);
    expect(mayBecome('Completed', 'InProgress')).toBe(false);
    expect(mayBecome('WaitingForPluginOperationsPartiallyFailed', 'Finalizing')).toBe(false);
  });

  it('all lead from New to an end, and no end leads back', () => {
    const reached = new Set<keyof typeof BACKUP_TRANSITIONS>(['New']);
    for (const phase of reached) for (const next of BACKUP_TRANSITIONS[phase]) reached.add(next);
    expect([...reached].toSorted()).toEqual(Object.keys(BACKUP_TRANSITIONS).toSorted());
    expect([...reached].filter(isEnded).toSorted()).toEqual([
      'Completed',
      'Deleting',
      'Failed',
      'FailedValidation',
      'PartiallyFailed',
    ]);
    expect(isEnded(undefined)).toBe(false);
  });
});
