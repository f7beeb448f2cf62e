import type { KubeObject } from '../../src/api/meta/kube-object.ts';
import { plan, step } from './sample-kinds.ts';
import { condition, object } from './sample-object.ts';
import { ago } from './sample-operations.ts';

/** A backup with more volumes than anybody looks at, and a pipeline that is as long. */
const MANY_VOLUMES = 5000;
export function manyVolumes(): KubeObject[] {
  return [
    object('Backup', 'huge', {
      status: { phase: 'InProgress', startTimestamp: ago(60), progress: { totalItems: 9000, itemsBackedUp: 4000 } },
    }),
    ...Array.from({ length: MANY_VOLUMES }, (_, at) =>
      object('VolumePluginBackup', `huge-${String(at).padStart(4, '0')}`, {
        spec: { volume: `data-${String(at).padStart(4, '0')}`, backup: 'huge', plugin: 'kopia' },
        status:
          at % 100 === 99
            ? {
                phase: 'Failed',
                message: 'no space left on device',
                startTimestamp: ago(50),
                completionTimestamp: ago(20),
              }
            : {
                phase: at < 20 ? 'InProgress' : 'Completed',
                startTimestamp: ago(50),
                progress: { bytesDone: at < 20 ? 3e8 : 1e9, totalBytes: 1e9 },
              },
      }),
    ),
  ];
}

const LONG_PIPELINE = 500;
export function longPipeline(): KubeObject {
  const pipeline = Array.from({ length: LONG_PIPELINE }, (_, at) => {
    const name = `Step${String(at + 1)}`;
    if (at > 250) return { name, message: 'Not started' };
    if (at < 250) return step(name, 900 - at, 899 - at);
    const progress = Array.from({ length: 400 }, (__, line) => `volume ${String(line)}: ${String(line % 100)}%`);
    return step(name, 600, undefined, { phase: 'Copying', message: 'Copying', progress });
  });
  return object('MigMigration', 'long', {
    spec: plan,
    status: {
      phase: 'Copying',
      startTimestamp: ago(900),
      conditions: [condition('Running', 100, { reason: 'Copying', message: 'Step: 251/500' })],
      pipeline,
    },
  });
}
