import type { KubeObject } from '../../src/api/meta/kube-object.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { SessionAnswer, SessionGroup } from '../../src/core/operations/index.ts';
import { actions } from './sample-actions.ts';
import { SESSION } from './sample-answers.ts';
import { condition, object } from './sample-object.ts';
import { ago, CLUSTER } from './sample-operations.ts';
import type { ScriptedPageServer } from './scripted-page-server.ts';

export const OTHER = 'prod-b';
const MI = 1024 ** 2;
const GI = 1024 ** 3;
export const step = (name: string, from: number, to?: number, more: JsonObject = {}): JsonObject => ({
  name,
  started: ago(from),
  ...(to === undefined ? {} : { completed: ago(to), message: 'Completed' }),
  ...more,
});
const toCome = (...names: string[]): JsonObject[] => names.map((name) => ({ name, message: 'Not started' }));
const skipped = (...names: string[]): JsonObject[] =>
  names.map((name) => ({ name, message: 'Skipped', skipped: true }));
export const plan = { migPlanRef: { name: 'shop', namespace: 'openshift-migration' } };

const REPEATED = { attempt: 2, reusedBytes: 1.1 * GI, uploadedBytes: 140 * MI };

/** As page.md draws it: a migration, its backups below, their volumes below these. */
function runningMigration(): KubeObject[] {
  const labels = { migmigration: 'uid-MigMigration-shop-to-b' };
  const volume = (name: string, [done, total]: [number, number], progress: JsonObject, more?: JsonObject): KubeObject =>
    object('VolumePluginBackup', `shop-data-${name}`, {
      annotations: { 'headway.io/claim': `shop/${name}` },
      spec: { volume: name, backup: 'shop-data', plugin: 'kopia' },
      status: {
        phase: 'InProgress',
        startTimestamp: ago(24),
        progress: { bytesDone: done, totalBytes: total, ...progress },
        ...more,
      },
    });
  const moving = { ratePerSecond: 88 * MI, etaSeconds: 29, lastProgressTime: ago(0), stage: 'uploading' };
  return [
    object('MigMigration', 'shop-to-b', {
      spec: { ...plan, stage: false },
      status: {
        itinerary: 'Final',
        phase: 'StageBackupCreated',
        startTimestamp: ago(280),
        conditions: [condition('Running', 41, { reason: 'StageBackupCreated', message: 'Step: 18/33' })],
        pipeline: [
          step('Prepare', 280, 262),
          step('Backup', 262, 65, {
            progress: ['Backup velero/shop-initial: 41 out of estimated total of 41 objects backed up (8s)'],
          }),
          step('DataBackup', 65, undefined, {
            phase: 'StageBackupCreated',
            message: 'Backing up the data of volumes and images.',
            progress: [
              'Backup velero/shop-data: 6 out of estimated total of 9 objects backed up (41s)',
              'VolumePluginBackup velero/shop-data-pgdata: 1.90 GB out of 4.40 GB backed up (24s)',
              'VolumePluginBackup velero/shop-data-uploads: 620.00 MB out of 2.00 GB backed up (24s)',
            ],
          }),
          ...toCome('DataRestore', 'Restore', 'Final'),
        ],
      },
    }),
    object('Backup', 'shop-initial', {
      labels,
      spec: { storageLocation: 'default' },
      status: {
        phase: 'Completed',
        startTimestamp: ago(262),
        completionTimestamp: ago(254),
        progress: { totalItems: 41, itemsBackedUp: 41 },
      },
    }),
    object('Backup', 'shop-data', {
      labels,
      spec: { storageLocation: 'default' },
      status: {
        phase: 'InProgress',
        startTimestamp: ago(65),
        conditions: [
          condition('VolumeDataMissing', 60, {
            message:
              'the data of 2 claims is not in the backup: shop/cache (no running pod mounts it, so that no mover can ' +
              'read it); shop/raw (it is a block volume)',
          }),
        ],
        stages: [
          { stage: 'discovering', startedAt: ago(65), endedAt: ago(64) },
          { stage: 'listing', startedAt: ago(64), endedAt: ago(61) },
          { stage: 'archiving', startedAt: ago(61), endedAt: ago(40) },
          { stage: 'volumes', startedAt: ago(40) },
        ],
        progress: {
          totalItems: 9,
          itemsBackedUp: 6,
          percent: 39,
          bytesDone: 2.5 * GI,
          totalBytes: 6.4 * GI,
          ...moving,
          stage: 'volumes',
          current: 'shop/persistentvolumeclaims/pgdata',
        },
      },
    }),
    volume('pgdata', [1.9 * GI, 4.4 * GI], moving),
    volume('uploads', [620 * MI, 2 * GI], { ...moving, ratePerSecond: 31 * MI, etaSeconds: 46 }, REPEATED),
  ];
}

/** Ended in each other way. */
function endedMigrations(): KubeObject[] {
  return [
    object('MigMigration', 'billing-to-b', {
      age: 5400,
      spec: plan,
      status: {
        itinerary: 'Failed',
        phase: 'Completed',
        startTimestamp: ago(5400),
        errors: ['Backup velero/billing-data: failed.'],
        conditions: [condition('Failed', 5000, { reason: 'StageBackupCreated' })],
        pipeline: [
          step('Prepare', 5400, 5380),
          step('Backup', 5380, 5300),
          step('DataBackup', 5300, 5020, { failed: true, message: 'Failed', phase: 'StageBackupCreated' }),
          ...skipped('DataRestore', 'Restore'),
          step('Final', 5020, 5000),
        ],
      },
    }),
    object('MigMigration', 'search-to-b', {
      age: 9000,
      spec: { ...plan, canceled: true },
      status: {
        itinerary: 'Cancel',
        phase: 'Canceled',
        startTimestamp: ago(9000),
        conditions: [condition('Canceled', 8700)],
        pipeline: [
          step('Prepare', 9000, 8980),
          step('Backup', 8980, 8800, { canceled: true, message: 'Canceled', phase: 'InitialBackupCreated' }),
          ...skipped('DataBackup', 'DataRestore', 'Restore'),
          step('Final', 8800, 8700),
        ],
      },
    }),
  ];
}

const engine = (name: SessionGroup['name'], state: SessionGroup['engine'] = { state: 'on' }): SessionGroup => ({
  name,
  isSeen: true,
  missing: [],
  engine: state,
});

/** Two clusters: Kanister runs its own controller in the one, and nothing of it is installed in the other. */
const TWO_CLUSTERS: SessionAnswer = {
  ...SESSION,
  clusters: [
    {
      ...SESSION.clusters[0]!,
      groups: [
        engine('velero'),
        engine('kanister', {
          state: 'off',
          reason: 'Kanister runs in namespace kanister (Deployment kanister-operator has 1 replica)',
          hint: 'Stop it with: kubectl --namespace kanister scale deployment kanister-operator --replicas 0',
        }),
        engine('migration', { state: 'notBuilt', reason: 'this version has no engine for migrations' }),
      ],
    },
    {
      ...SESSION.clusters[0]!,
      name: OTHER,
      groups: [
        engine('velero'),
        {
          ...engine('kanister', { state: 'off', reason: 'its definitions are missing' }),
          isSeen: false,
          missing: ['ActionSet', 'Blueprint'],
        },
        engine('migration', { state: 'notBuilt', reason: 'this version has no engine for migrations' }),
      ],
    },
  ],
};

/** One of everything that the other kinds can be, in two clusters with equal names. */
export function fillKinds(server: ScriptedPageServer): void {
  server.session = TWO_CLUSTERS;
  server.apply(CLUSTER, ...runningMigration(), ...endedMigrations(), ...actions());
  server.apply(
    OTHER,
    object('MigMigration', 'shop-to-b', {
      age: 90_000,
      spec: { ...plan, stage: true },
      status: {
        itinerary: 'Stage',
        phase: 'Completed',
        startTimestamp: ago(90_000),
        conditions: [condition('Succeeded', 89_000)],
        pipeline: [
          step('Prepare', 90_000, 89_900),
          step('DataBackup', 89_900, 89_300),
          step('DataRestore', 89_300, 89_000),
        ],
      },
    }),
    object('DirectVolumeMigration', 'cache-direct', {
      spec: { persistentVolumeClaims: [] },
      status: {
        phase: 'WaitForRsyncClientPodsCompleted',
        startTimestamp: ago(100),
        conditions: [condition('Running', 20, { message: 'Step: 17/20' })],
        runningPods: [
          {
            namespace: 'shop',
            name: 'rsync-1',
            pvcRef: { namespace: 'shop', name: 'cache' },
            lastObservedProgressPercent: '45%',
          },
        ],
      },
    }),
  );
}
