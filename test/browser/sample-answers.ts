import type {
  BackupPlanAnswer,
  ContentsAnswer,
  DiffAnswer,
  ItemAnswer,
  LocationsAnswer,
  RestorePlanAnswer,
  SchedulesAnswer,
  SessionAnswer,
} from '../../src/core/operations/index.ts';
import { ago, CLUSTER } from './sample-operations.ts';

export const SESSION: SessionAnswer = {
  version: '0.1.0',
  csrf: 'csrf-of-this-session',
  clusters: [
    {
      name: CLUSTER,
      login: 'token',
      user: { name: 'system:serviceaccount:velero:anna', groups: ['system:authenticated'] },
      namespace: 'velero',
      isWatched: true,
    },
  ],
};

export const LOGGED_OUT: SessionAnswer = {
  version: '0.1.0',
  clusters: [{ name: CLUSTER, login: 'token', namespace: 'velero', isWatched: true }],
};

export function schedules(): SchedulesAnswer {
  const row = { cluster: CLUSTER, namespace: 'velero', phase: 'Enabled', isPaused: false, problems: [] };
  const object = {
    apiVersion: 'velero.io/v1',
    kind: 'Schedule',
    metadata: { name: 'nightly' },
    spec: { schedule: '0 3 * * *' },
  };
  return {
    schedules: [
      { ...row, name: 'nightly', schedule: '0 3 * * *', lastBackupAt: ago(3600), nextBackupAt: ago(-18_000), object },
      { ...row, name: 'weekly', schedule: '0 4 * * 0', nextBackupAt: ago(-400_000), object },
      { ...row, name: 'paused-one', schedule: '@daily', isPaused: true, object },
      {
        ...row,
        name: 'broken',
        schedule: 'every day',
        problems: ['schedule "every day" is no cron expression'],
        object,
      },
    ],
  };
}

export function locations(): LocationsAnswer {
  const row = {
    cluster: CLUSTER,
    namespace: 'velero',
    isReadOnly: false,
    lastValidatedAt: ago(20),
    lastSyncedAt: ago(30),
  };
  return {
    locations: [
      {
        ...row,
        name: 'default',
        provider: 'aws',
        bucket: 'backups',
        prefix: 'prod',
        isDefault: true,
        phase: 'Available',
        backups: 41,
        bytes: 1.2 * 1024 ** 4,
      },
      {
        ...row,
        name: 'offsite',
        provider: 'aws',
        bucket: 'offsite',
        isDefault: false,
        phase: 'Unavailable',
        message: 'credentials expired 2 h ago: InvalidAccessKeyId',
        backups: 3,
        bytes: 80_000_000,
      },
    ],
  };
}

const NAMESPACES = ['billing', 'orders', 'search', 'shop'];

export function contents(query: URLSearchParams): ContentsAnswer {
  const resources = ['configmaps', 'secrets', 'services', 'deployments.apps'];
  const all = [
    { resource: 'namespaces', name: 'shop' },
    ...NAMESPACES.flatMap((namespace) =>
      resources.flatMap((resource) =>
        Array.from({ length: 60 }, (_, at) => ({
          namespace,
          resource,
          name: `${resource.slice(0, -1)}-${String(at)}`,
        })),
      ),
    ),
  ];
  const [namespace, kind, q] = [query.get('namespace'), query.get('kind'), query.get('q') ?? ''];
  const items = all.filter(
    (item) =>
      (namespace === null || ('namespace' in item ? item.namespace : '') === namespace) &&
      (kind === null || item.resource === kind) &&
      item.name.includes(q),
  );
  const groups = NAMESPACES.flatMap((name) => resources.map((resource) => ({ namespace: name, resource, count: 60 })));
  return {
    groups: [{ resource: 'namespaces', count: 1 }, ...groups],
    items: items.slice(0, Number(query.get('limit') ?? 1000)),
    total: items.length,
    problems: [],
  };
}

export const ITEM: ItemAnswer = {
  resource: 'secrets',
  namespace: 'shop',
  name: 'secret-0',
  isMasked: true,
  yaml: 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: secret-0\n  namespace: shop\ndata:\n  password: "********"\n',
};

export const DIFF: DiffAnswer = {
  with: 'cluster',
  added: [{ resource: 'configmaps', namespace: 'shop', name: 'new-one' }],
  removed: [{ resource: 'services', namespace: 'shop', name: 'old-one' }],
  changed: [
    {
      resource: 'deployments.apps',
      namespace: 'shop',
      name: 'web',
      fields: [{ path: 'spec.replicas', before: '2', after: '5' }],
    },
  ],
  equal: 2428,
  isCut: false,
  counts: { added: 1, removed: 1, changed: 1 },
  problems: [],
};

export const RESTORE_PLAN: RestorePlanAnswer = {
  kind: 'Restore',
  validationErrors: [],
  unmatched: [],
  warnings: ['claim shop/cache has no data in the backup'],
  backup: 'nightly-14',
  counts: { create: 2300, update: 0, exists: 119, fail: 12 },
  items: [
    { resource: 'configmaps', namespace: 'shop-copy', name: 'index-1', action: 'create' },
    {
      resource: 'services',
      namespace: 'shop-copy',
      name: 'web',
      action: 'fail',
      reason: 'port 30080 already allocated',
    },
  ],
  isCut: true,
  leftOut: [{ reason: 'events are never restored', count: 61, examples: ['events shop/web.17'] }],
  volumes: [
    { claim: 'shop-copy/pgdata', plugin: 'kopia', bytes: 4.4 * 1024 ** 3 },
    { claim: 'shop-copy/uploads', plugin: 'stream', bytes: 620 * 1024 ** 2 },
    { claim: 'shop-copy/cache', reason: 'its data is not in the backup: no running pod mounted it' },
  ],
};

export const BACKUP_PLAN: BackupPlanAnswer = {
  kind: 'Backup',
  validationErrors: [],
  unmatched: [],
  warnings: [],
  namespaces: NAMESPACES,
  resources: [
    { resource: 'configmaps', kind: 'ConfigMap', count: 1204, isEstimate: false },
    { resource: 'secrets', kind: 'Secret', count: 610, isEstimate: false },
  ],
  total: 1814,
  leftOut: [],
  volumes: [
    { claim: 'shop/pgdata', plugin: 'stream' },
    { claim: 'shop/cache', reason: 'no running pod mounts it, so that no mover can read it' },
  ],
};

export const LOG = Array.from({ length: 400 }, (_, at) => {
  const level = at % 90 === 89 ? 'error' : at % 40 === 39 ? 'warning' : 'info';
  return `time="2026-11-16T01:02:03Z" level=${level} msg="Restored item" name=index-${String(at)} namespace=orders-copy\n`;
}).join('');
