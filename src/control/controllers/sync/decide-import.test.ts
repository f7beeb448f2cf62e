import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../base/index.ts';
import { decideImport } from './decide-import.ts';
import { isTooMany, MissingBackups } from './missing-backups.ts';

const place = { namespace: 'velero', location: 'east' };
const metadata = (change: object = {}, status: object = { phase: 'Completed' }): Json =>
  ({
    apiVersion: 'velero.io/v1',
    kind: 'Backup',
    metadata: {
      name: 'b',
      namespace: 'elsewhere',
      uid: 'u',
      resourceVersion: '7',
      labels: { a: 'b', 'velero.io/storage-location': 'west' },
      annotations: { c: 'd' },
      finalizers: ['x/y'],
      ownerReferences: [{ apiVersion: 'velero.io/v1', kind: 'Schedule', name: 's', uid: 'u2' }],
      ...change,
    },
    spec: { storageLocation: 'west', ttl: '1h0m0s' },
    status,
  }) as unknown as Json;

describe('a metadata file', () => {
  it('is imported with what is true in every cluster', () => {
    expect(decideImport('b', metadata(), place)).toEqual({
      kind: 'import',
      backup: {
        apiVersion: 'velero.io/v1',
        kind: 'Backup',
        metadata: {
          name: 'b',
          namespace: 'velero',
          labels: { a: 'b', 'velero.io/storage-location': 'east' },
          annotations: { c: 'd' },
        },
        spec: { storageLocation: 'east', ttl: '1h0m0s' },
        status: { phase: 'Completed' },
      },
      unknown: [],
    });
  });

  it('of a newer version is imported, and its fields that nobody here knows are named', () => {
    const decision = decideImport('b', metadata({}, { phase: 'Completed', novelty: { a: 1 } }), place);
    expect(decision).toMatchObject({ kind: 'import', unknown: ['status.novelty'] });
  });

  it.each(['Completed', 'PartiallyFailed', 'Failed'])('that says %s is imported', (phase) => {
    expect(decideImport('b', metadata({}, { phase }), place).kind).toBe('import');
  });

  it.each(['', 'New', 'InProgress', 'Finalizing', 'WaitingForPluginOperations', 'Deleting', 'FailedValidation'])(
    'that says %o is left alone',
    (phase) => {
      expect(decideImport('b', metadata({}, phase === '' ? {} : { phase }), place).kind).toBe('later');
    },
  );

  it.each<[string, Json, RegExp]>([
    ['another name', metadata({ name: 'c' }), /claims the name "c"/],
    ['no object', [], /expected an object|expected/],
    ['another kind', { ...(metadata() as JsonObject), kind: 'Restore' }, /expected velero.io\/v1 Backup/],
    ['nothing', null, /expected/],
  ])('with %s is a problem', (_what, found, problem) => {
    const decision = decideImport('b', found, place);
    expect(decision).toMatchObject({ kind: 'problem', problem: expect.stringMatching(problem) as string });
  });

  it('may hold anything without breaking the pass', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (found) => {
        expect(['later', 'problem']).toContain(decideImport('b', found as Json, place).kind);
      }),
    );
  });
});

describe('missing backups', () => {
  it('are believed to be gone only when two listings in a row lack them', () => {
    const missing = new MissingBackups();
    expect(missing.again('l', new Set(['a', 'b']), 0, 10)).toEqual(new Set());
    expect(missing.again('l', new Set(['b', 'c']), 10, 10)).toEqual(new Set(['b']));
    expect(missing.again('l', new Set(), 20, 10)).toEqual(new Set());
    expect(missing.again('l', new Set(['b']), 30, 10)).toEqual(new Set());
    expect(missing.again('other', new Set(['b']), 40, 10)).toEqual(new Set());
  });

  it('are not believed to be gone by two listings at the same time', () => {
    const missing = new MissingBackups();
    missing.again('l', new Set(['a', 'b']), 0, 10);
    expect(missing.again('l', new Set(['a']), 5, 10)).toEqual(new Set());
    expect(missing.again('l', new Set(['a', 'b']), 12, 10)).toEqual(new Set(['a']));
  });

  it.each([
    [1, 1, true],
    [1, 2, false],
    [2, 3, true],
    [5, 10, false],
    [6, 10, true],
  ])('%d of %d are too many: %s', (gone, all, expected) => {
    expect(isTooMany(gone, all)).toBe(expected);
  });
});
