import { describe, expect, it } from 'vitest';
import { BackupRepository, type PodVolumeBackup, type VolumePluginBackup } from '../../../api/index.ts';
import { doomedSnapshots } from './doomed.ts';
import { isFullMaintenanceDue, maintenanceDueAt, repositoryObject, withMaintenance } from './repository-object.ts';
import { repositoryAt, type RepositoryLocation } from './repository-at.ts';
import { leftoversOf, readSnapshots } from './snapshots.ts';
import { snapshotSource } from './velero-repository.ts';

const NOW = '2026-01-31T12:00:00Z';
const later = (minutes: number): number => Date.parse(NOW) + minutes * 60_000;

it('a source is named as Velero names it', () => {
  const source = { namespace: 'shop', pod: 'db-0', volume: 'data' };
  expect(snapshotSource(source)).toBe('default@default:snapshot-pod-volume/kopia/shop/db-0/data');
});

describe('the object of a repository', () => {
  const repository = repositoryObject({ namespace: 'velero', volumeNamespace: 'shop', location: 'default' }, NOW);

  it('is what Velero finds by its labels', () => {
    expect(BackupRepository.parse(repository).unknown).toEqual([]);
    expect(repository).toMatchObject({
      metadata: {
        name: 'shop-default-kopia',
        labels: {
          'velero.io/volume-namespace': 'shop',
          'velero.io/storage-location': 'default',
          'velero.io/repository-type': 'kopia',
        },
      },
      spec: { maintenanceFrequency: '1h0m0s' },
    });
  });

  it('is maintained every hour, or as often as it says', () => {
    expect(maintenanceDueAt(repository)).toBe(later(60));
    const often = { ...repository, spec: { ...repository.spec, maintenanceFrequency: '5m0s' } };
    expect(maintenanceDueAt(often)).toBe(later(5));
    const never = { ...repository, spec: { ...repository.spec, maintenanceFrequency: '0s' } };
    expect(maintenanceDueAt(never)).toBe(later(60));
    expect(maintenanceDueAt({ ...repository, status: {} })).toBeLessThan(later(0));
  });

  it('is tried again ten minutes after a failure, and at once by nobody', () => {
    const startTimestamp = new Date(later(60)).toISOString();
    const recentMaintenance = [{ result: 'Failed' as const, startTimestamp, completeTimestamp: startTimestamp }];
    const failed = { ...repository, status: { ...repository.status, recentMaintenance } };
    expect(maintenanceDueAt(failed)).toBe(later(70));
  });

  it('is tried again ten minutes after the end of a run that failed, and after the start of one without an end', () => {
    const run = { result: 'Failed' as const, startTimestamp: new Date(later(60)).toISOString() };
    const dueAfter = (completeTimestamp?: string) => {
      const recentMaintenance = [completeTimestamp === undefined ? run : { ...run, completeTimestamp }];
      return maintenanceDueAt({ ...repository, status: { ...repository.status, recentMaintenance } });
    };
    expect(dueAfter(new Date(later(300)).toISOString())).toBe(later(310));
    expect(dueAfter()).toBe(later(70));
    expect(dueAfter('at some time')).toBe(later(70));
  });

  it('is maintained thoroughly once a day', () => {
    const at = (startTimestamp: string, result: 'Succeeded' | 'Failed') => ({
      ...repository,
      status: { recentMaintenance: [{ result, startTimestamp, completeTimestamp: startTimestamp }] },
    });
    expect(isFullMaintenanceDue(repository, later(60))).toBe(true);
    expect(isFullMaintenanceDue(at('2026-01-31T00:00:01Z', 'Succeeded'), later(60))).toBe(false);
    expect(isFullMaintenanceDue(at('2026-01-31T00:00:01Z', 'Failed'), later(60))).toBe(true);
    expect(isFullMaintenanceDue(at('2026-01-30T23:59:59Z', 'Succeeded'), later(60))).toBe(true);
  });

  it('remembers the last 25 runs', () => {
    const runs = Array.from({ length: 30 }, (_, at) => ({ message: String(at) }));
    const history = runs.reduce(withMaintenance, withMaintenance(undefined, { message: 'first' }));
    expect(history.map(({ message }) => message)).toEqual(runs.slice(5).map(({ message }) => message));
  });
});

describe('a listing of kopia', () => {
  const listing = [
    { id: '01', source: { host: 'default', userName: 'default', path: 'a' }, tags: { 'tag:headway-volume': 'b-1' } },
    { id: '02', source: {}, tags: { 'tag:headway-checksums': 'b-1' }, incomplete: 'canceled' },
    { id: '03', source: {}, tags: { 'snapshot-requester': 'snapshot-pod-volume' } },
    { source: {} },
    'x',
  ];

  it('is read', () => {
    expect(readSnapshots(listing)).toEqual([
      { id: '01', source: 'default@default:a', tags: { 'headway-volume': 'b-1' } },
      { id: '02', source: '@:', tags: { 'headway-checksums': 'b-1' }, incomplete: 'canceled' },
      { id: '03', source: '@:', tags: { 'snapshot-requester': 'snapshot-pod-volume' } },
    ]);
    expect(readSnapshots({})).toEqual([]);
    expect(readSnapshots(undefined)).toEqual([]);
  });

  it('tells what a mover left behind', () => {
    expect(leftoversOf('b-1', readSnapshots(listing))).toEqual(['01', '02']);
    expect(leftoversOf('b-1', readSnapshots(listing), new Set(['01']))).toEqual(['02']);
    expect(leftoversOf('b', readSnapshots(listing))).toEqual([]);
  });
});

describe('what goes with a backup', () => {
  const podVolume = (name: string, namespace: string, snapshotID?: string, uploaderType = 'kopia') =>
    ({
      metadata: { name },
      spec: { pod: { namespace }, backupStorageLocation: 'default', uploaderType },
      status: snapshotID === undefined ? {} : { snapshotID },
    }) as PodVolumeBackup;
  const pluginBackup = (name: string, id: string) =>
    ({ metadata: { name }, spec: { pluginSpecific: { kopiaSnapshotID: id } } }) as unknown as VolumePluginBackup;

  it('is grouped by repository, each snapshot once', () => {
    const podVolumes = [
      podVolume('b-1', 'shop', 'k1'),
      podVolume('b-2', 'shop', 'k2'),
      podVolume('b-3', 'blog', 'k3'),
      podVolume('old', 'blog', 'r1', 'restic'),
    ];
    expect(doomedSnapshots(podVolumes, [pluginBackup('b-1', 'k1')])).toEqual([
      { volumeNamespace: 'shop', location: 'default', snapshotIDs: ['k1', 'k2'], volumes: ['b-1'] },
      { volumeNamespace: 'blog', location: 'default', snapshotIDs: ['k3'], volumes: [] },
    ]);
  });

  it('includes what a failed copy of ours may have left, and nothing for a failed one of Velero', () => {
    expect(doomedSnapshots([podVolume('b-1', 'shop')], [])).toEqual([]);
    const failed = { metadata: { name: 'b-1' }, spec: {} } as VolumePluginBackup;
    expect(doomedSnapshots([podVolume('b-1', 'shop')], [failed])).toEqual([
      { volumeNamespace: 'shop', location: 'default', snapshotIDs: [], volumes: ['b-1'] },
    ]);
  });
});

describe('where a repository is', () => {
  it.each<[string, RepositoryLocation, object]>([
    [
      'a bucket of AWS',
      { provider: 'aws', bucket: 'b', config: { region: 'eu-1' } },
      { kind: 's3', bucket: 'b', prefix: 'kopia/shop/', endpoint: 's3-eu-1.amazonaws.com', region: 'eu-1' },
    ],
    [
      'another store, with a prefix',
      { provider: 'velero.io/aws', bucket: 'b', prefix: '/a/b/', config: { s3Url: 'http://10.0.0.1:9000/' } },
      { kind: 's3', bucket: 'b', prefix: 'a/b/kopia/shop/', endpoint: '10.0.0.1:9000', disableTls: true },
    ],
    [
      'a store whose certificate is not checked',
      { provider: 'aws', bucket: 'b', config: { s3Url: 'https://s3', insecureSkipTLSVerify: 'true' } },
      { kind: 's3', bucket: 'b', prefix: 'kopia/shop/', endpoint: 's3', skipTlsVerify: true },
    ],
    [
      'a directory',
      { provider: 'headway.io/fs', bucket: 'b', prefix: 'p', directory: '/store/b/' },
      { kind: 'filesystem', path: '/store/b/p/kopia/shop' },
    ],
  ])('%s', (_, location, repository) => {
    expect(repositoryAt(location, 'shop')).toEqual({ repository });
  });

  it.each<[string, RepositoryLocation]>([
    ['provider azure', { provider: 'azure', bucket: 'b' }],
    ['config.region or config.s3Url', { provider: 'aws', bucket: 'b' }],
    ['without a path', { provider: 'aws', bucket: 'b', config: { s3Url: 'https://s3.example.com/path' } }],
    ['without a path', { provider: 'aws', bucket: 'b', config: { s3Url: 'https://user:pw@s3.example.com' } }],
  ])('nowhere: %s', (problem, location) => {
    expect(repositoryAt(location, 'shop')).toEqual({ problem: expect.stringContaining(problem) as string });
  });
});
