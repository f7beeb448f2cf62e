import type {
  ActionPlanAnswer,
  BlueprintAnswer,
  BlueprintRow,
  BlueprintsAnswer,
  VolumeFilesAnswer,
  VolumesAnswer,
} from '../../src/core/operations/index.ts';
import { ago, CLUSTER } from './sample-operations.ts';

const MI = 1024 ** 2;

const OBJECT = {
  apiVersion: 'cr.kanister.io/v1alpha1',
  kind: 'Blueprint',
  metadata: { name: 'mysql-blueprint', namespace: 'shop' },
  actions: {
    backup: {
      kind: 'StatefulSet',
      secretNames: ['login'],
      outputArtifacts: { dump: { keyValue: { path: '{{ .Phases.dump.Output.path }}' } } },
      phases: [
        {
          func: 'KubeTask',
          name: 'dump',
          timeout: '30m',
          retries: 2,
          args: {
            image: 'mysql:8',
            command: [
              'bash',
              '-c',
              'mysqldump -u root -p{{ index .Secrets.login.Data "password" }} | kando location push',
            ],
          },
        },
        { func: 'KubeExec', name: 'unlock', args: { pod: 'mysql-0', command: ['unlock'], contaner: 'mysql' } },
      ],
      deferPhase: { func: 'ScaleWorkload', name: 'scaleUp', args: { replicas: 2 } },
    },
    restore: {
      kind: 'StatefulSet',
      inputArtifactNames: ['dump'],
      phases: [{ func: 'KubeTask', name: 'load', args: { image: 'mysql:8', command: ['load'] } }],
    },
  },
};

const ROW: BlueprintRow = {
  cluster: CLUSTER,
  namespace: 'shop',
  name: 'mysql-blueprint',
  createdAt: ago(90_000),
  actions: ['backup', 'restore'],
  phases: 4,
  errors: 1,
  warnings: 0,
};

export function blueprints(): BlueprintsAnswer {
  const good = { ...ROW, errors: 0 };
  return {
    blueprints: [
      ROW,
      { ...good, name: 'mongo-blueprint', phases: 6 },
      { ...good, name: 'redis-blueprint', namespace: 'cache', actions: ['backup'], phases: 2, warnings: 1 },
    ],
    isCut: false,
    notes: [],
  };
}

export const BLUEPRINT: BlueprintAnswer = {
  ...ROW,
  problems: [
    {
      action: 'backup',
      phase: 'unlock',
      argument: 'contaner',
      message: 'Argument validation failed, unknown argument contaner',
      stops: 'phase',
    },
  ],
  object: OBJECT,
};
export const BLUEPRINT_PLACE = `#/blueprints/${encodeURIComponent(`${CLUSTER}/shop/mysql-blueprint`)}`;

export const ACTION_PLAN: ActionPlanAnswer = {
  kind: 'ActionSet',
  problems: [],
  actions: [
    {
      action: 'backup',
      blueprint: 'mysql-blueprint',
      phases: [
        {
          phase: 'dump',
          function: 'KubeTask',
          arguments: {
            image: { value: 'mysql:8' },
            command: { value: ['bash', '-c', 'mysqldump -u root -p*** | kando location push'] },
          },
        },
        {
          phase: 'unlock',
          function: 'KubeExec',
          arguments: { command: { waitsFor: 'what phase dump returns' }, pod: { problems: ['no such pod'] } },
        },
      ],
    },
  ],
};

export const VOLUMES: VolumesAnswer = {
  volumes: [
    {
      id: 'nightly-14-0123456789',
      claim: 'shop/pgdata',
      plugin: 'stream',
      phase: 'Completed',
      bytes: 410 * MI,
      completedAt: ago(3600),
    },
    {
      id: 'nightly-14-abcdef0123',
      claim: 'shop/uploads',
      plugin: 'kopia',
      phase: 'Failed',
      message: 'the repository is locked',
    },
  ],
};

export const VOLUME_FILES: VolumeFilesAnswer = {
  volume: VOLUMES.volumes[0]!,
  files: [
    { path: 'base', type: 'directory', bytes: 0, mode: 0o755, modifiedAt: ago(7200) },
    { path: 'base/1/1259', type: 'file', bytes: 114_688, mode: 0o600, modifiedAt: ago(7200) },
    { path: 'current', type: 'symlink', bytes: 0, mode: 0o777, modifiedAt: ago(7200), target: 'base/1' },
  ],
};
