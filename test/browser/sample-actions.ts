import type { KubeObject } from '../../src/api/meta/kube-object.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { condition, object } from './sample-object.ts';
import { ago } from './sample-operations.ts';

const MI = 1024 ** 2;
const GI = 1024 ** 3;

const app = (name: string, kind = 'statefulset'): JsonObject => ({
  name: 'backup',
  blueprint: `${name}-blueprint`,
  object: { kind, namespace: 'shop', name },
});
const done = (name: string, age: number): JsonObject => ({
  name,
  state: 'complete',
  progress: { progressPercent: '100.00', lastTransitionTime: ago(age) },
});

export function actions(): KubeObject[] {
  const dump = {
    name: 'dumpToObjectStore',
    state: 'running',
    progress: {
      progressPercent: '30.00',
      sizeUploadedB: 310 * MI,
      estimatedUploadSizeB: GI,
      estimatedTimeSeconds: 94,
      lastTransitionTime: ago(1),
    },
  };
  return [
    object('ActionSet', 'mysql-backup', {
      age: 70,
      spec: { actions: [app('mysql')] },
      status: {
        state: 'running',
        progress: { percentCompleted: '43.33', runningPhase: 'dumpToObjectStore', lastTransitionTime: ago(1) },
        actions: [
          {
            ...app('mysql'),
            phases: [done('updatePermissions', 64), dump, { name: 'cleanup', state: 'pending' }],
            deferPhase: { name: 'unlock', state: 'pending' },
          },
        ],
      },
    }),
    object('ActionSet', 'all-databases', {
      age: 40,
      spec: { actions: [app('mysql'), app('sessions', 'deployment')] },
      status: {
        state: 'running',
        progress: { percentCompleted: '40.00' },
        actions: [
          { ...app('mysql'), phases: [done('lock', 35), dump] },
          {
            ...app('sessions', 'deployment'),
            phases: [done('lock', 30), { ...dump, name: 'dump' }, { name: 'unlock', state: 'pending' }],
          },
        ],
      },
    }),
    object('ActionSet', 'mongo-backup', {
      age: 3700,
      spec: { actions: [app('mongo')] },
      status: {
        state: 'failed',
        error: { message: 'phase takeConsistentBackup: command in pod mongo-0 ended with exit code 1' },
        actions: [
          {
            ...app('mongo'),
            phases: [
              done('lock', 3690),
              { name: 'takeConsistentBackup', state: 'failed', progress: { progressPercent: '37.00' } },
              { name: 'unlock', state: 'pending' },
            ],
          },
        ],
      },
    }),
    object('ActionSet', 'files-backup', {
      age: 7000,
      spec: { actions: [app('files', 'deployment')] },
      status: {
        state: 'complete',
        progress: { percentCompleted: '100.00', lastTransitionTime: ago(6900) },
        actions: [
          {
            ...app('files', 'deployment'),
            phases: [{ ...done('dump', 6900), output: { path: 'backups/files/2026', files: '1204' } }],
            artifacts: { dump: { keyValue: { path: 'backups/files/2026' } } },
          },
        ],
      },
    }),
    object('ActionSet', 'redis-backup', {
      age: 8000,
      spec: { actions: [app('redis')] },
      annotations: { 'headway.io/cancel': 'true' },
      status: {
        state: 'failed',
        error: { message: 'canceled' },
        conditions: [condition('Canceled', 7950)],
        actions: [
          {
            ...app('redis'),
            phases: [done('lock', 7990), { name: 'dump', state: 'failed' }, { name: 'unlock', state: 'pending' }],
          },
        ],
      },
    }),
  ];
}

const POD = 'action=backup pod=shop/kanister-job-4gk2x';
const at = (second: number): string => `time="2026-11-16T01:02:${String(second).padStart(2, '0')}Z"`;

/** What the pods of a running one print; always the same, because goldens have it. */
export const ACTION_LOG = [
  `${at(1)} level=info msg="phase is complete" phase=lock action=backup`,
  `${at(2)} level=info msg="phase begins" phase=dumpToObjectStore action=backup`,
  ...['connected as root, password=***', 'dumped table customers', 'dumped table orders', 'dumping table items'].map(
    (text, line) => `${at(3 + line)} level=info msg="${text}" phase=dumpToObjectStore ${POD}`,
  ),
]
  .map((line) => `${line}\n`)
  .join('');
