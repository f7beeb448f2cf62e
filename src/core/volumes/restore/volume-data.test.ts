import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { isNamespaceName, isObjectName, type Json, type JsonObject } from '../../../base/index.ts';
import { isSnapshotId } from '../repository/snapshots.ts';
import { readVolumeData } from './volume-data.ts';

const KOPIA_ID = '0123456789abcdef0123456789abcdef';
const OTHER_ID = 'fedcba9876543210fedcba9876543210';
const questions = { backup: 'b', claimOfVolume: () => undefined, claimOfPodVolume: () => undefined };

function pluginBackup(
  more: { name?: string; claim?: string; spec?: JsonObject; status?: JsonObject } = {},
): JsonObject {
  const { name = 'b-0123456789', claim = 'shop/data', spec = {}, status = {} } = more;
  return {
    kind: 'VolumePluginBackup',
    metadata: { name, annotations: { 'headway.io/claim': claim } },
    spec: { backup: 'b', volume: 'pv-1', plugin: 'stream', ...spec },
    status: { phase: 'Completed', snapshotID: name, progress: { totalBytes: 5, bytesDone: 5 }, ...status },
  };
}

function podVolume(more: { name?: string; spec?: JsonObject; status?: JsonObject; claim?: string } = {}): JsonObject {
  const { name = 'v-abcde', claim = 'data' } = more;
  return {
    kind: 'PodVolumeBackup',
    metadata: { name, annotations: { 'velero.io/pvc-name': claim } },
    spec: { pod: { namespace: 'shop', name: 'db-0' }, volume: 'data', uploaderType: 'kopia', ...more.spec },
    status: { phase: 'Completed', snapshotID: KOPIA_ID, progress: { totalBytes: 7 }, ...more.status },
  };
}

const read = (pluginBackups: Json | undefined, podVolumeBackups?: Json) =>
  readVolumeData({ pluginBackups, podVolumeBackups }, questions);
const findingOf = (pluginBackups: Json | undefined, podVolumeBackups?: Json, claim = 'shop/data') =>
  read(pluginBackups, podVolumeBackups).findings.get(claim);
const kopia = { plugin: 'kopia', pluginSpecific: { kopiaSnapshotID: KOPIA_ID } };

describe('the data of a claim', () => {
  it('is in an archive of the backup, in a repository, or with a plugin', () => {
    expect(findingOf([pluginBackup()])).toMatchObject({ data: { by: 'stream', id: 'b-0123456789', totalBytes: 5 } });
    expect(findingOf([pluginBackup({ spec: kopia })])).toMatchObject({ data: { by: 'kopia', kopiaID: KOPIA_ID } });
    const native = pluginBackup({ spec: { plugin: 'example.com/x' }, status: { snapshotID: 'Snap/1' } });
    expect(findingOf([native])).toMatchObject({ data: { by: 'native', snapshotID: 'Snap/1' } });
  });

  it('is known from what Velero alone wrote', () => {
    expect(findingOf(undefined, [podVolume()])).toMatchObject({
      data: {
        ...{ by: 'kopia', kopiaID: KOPIA_ID, snapshotID: KOPIA_ID, totalBytes: 7 },
        podVolume: { pod: 'db-0', volume: 'data' },
      },
    });
    const both = findingOf([pluginBackup({ spec: kopia })], [podVolume({ name: 'b-0123456789' })]);
    expect(both).toMatchObject({ data: { id: 'b-0123456789', podVolume: { pod: 'db-0', volume: 'data' } } });
    const odd = findingOf(undefined, [podVolume({ spec: { volume: '../data' } })]);
    expect(odd).not.toHaveProperty('data.podVolume');
    expect(findingOf(undefined, [podVolume({ status: { snapshotID: '' } })])).toEqual({ isEmpty: true });
    expect(findingOf(undefined, [podVolume({ spec: { uploaderType: 'restic' } })])).toMatchObject({
      problem: expect.stringContaining('restic') as string,
    });
  });

  it.each<[string, Json, RegExp]>([
    ['of another backup', [pluginBackup({ spec: { backup: 'other' } })], /another backup/],
    ['under a name that is a path', [pluginBackup({ name: '../../other/volumes/x' })], /no valid name/],
    [
      'with an id that is an option',
      [pluginBackup({ spec: { ...kopia, pluginSpecific: { kopiaSnapshotID: '--all' } } })],
      /no valid id/,
    ],
    [
      'that failed',
      [pluginBackup({ status: { phase: 'Failed', message: 'disk full' } })],
      /failed when it was backed up: disk full/,
    ],
    ['without an end', [pluginBackup({ status: { phase: 'InProgress' } })], /had not ended/],
  ])('%s is not brought back, and says why', (_, files, message) => {
    expect(findingOf(files)).toMatchObject({ problem: expect.stringMatching(message) as string });
  });

  it('is not taken from another volume', () => {
    const both = [
      pluginBackup({ spec: kopia }),
      pluginBackup({ name: 'b-9876543210', claim: 'shop/more', spec: kopia }),
    ];
    for (const claim of ['shop/data', 'shop/more']) {
      expect(findingOf(both, undefined, claim)).toMatchObject({
        problem: expect.stringContaining('another volume') as string,
      });
    }
    const velero = podVolume({ name: 'b-0123456789', status: { snapshotID: OTHER_ID } });
    expect(findingOf([pluginBackup({ spec: kopia })], [velero])).toMatchObject({
      problem: expect.stringContaining('two different') as string,
    });
  });

  it('never leads out of the places of its kind, whatever the files hold', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('stream', 'kopia', 'b', 'Completed', KOPIA_ID, 'a/b', '../..'));
    const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text));
    const anything = fc.record({
      metadata: fc.oneof(
        value,
        fc.record({
          name: value,
          annotations: fc.dictionary(fc.constantFrom('headway.io/claim', 'velero.io/pvc-name'), value),
        }),
      ),
      spec: fc.oneof(
        value,
        fc.record({
          backup: value,
          plugin: value,
          volume: value,
          pod: value,
          uploaderType: value,
          pluginSpecific: value,
        }),
      ),
      status: fc.oneof(value, fc.record({ phase: value, snapshotID: value, progress: value, message: value })),
    });
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 4 }), fc.array(anything, { maxLength: 4 }), (ours, theirs) => {
        for (const finding of read(ours, theirs).findings.values()) {
          if (!('data' in finding)) continue;
          const { claim, id, by, kopiaID = '', totalBytes = 0 } = finding.data;
          expect(isNamespaceName(claim.namespace) && isObjectName(claim.name) && isObjectName(id)).toBe(true);
          expect(by !== 'kopia' || isSnapshotId(kopiaID)).toBe(true);
          expect(Number.isSafeInteger(totalBytes) && totalBytes >= 0).toBe(true);
        }
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
