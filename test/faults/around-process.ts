/** Everything around the engine in a process of its own, which a test may kill: KUBECONFIG DIRECTORY. */
import { join } from 'node:path';
import { createDeleteControllers } from '../../src/control/controllers/delete/index.ts';
import { createLocationController } from '../../src/control/controllers/location/index.ts';
import { createScheduleController } from '../../src/control/controllers/schedule/index.ts';
import { createSyncController } from '../../src/control/controllers/sync/index.ts';
import { startEngine } from '../engine/engine.ts';
import { clientFor } from '../kube-client.ts';

const [kubeconfig = '', directory = ''] = process.argv.slice(2);
const kube = await clientFor(kubeconfig);
const dispose = async (): Promise<void> => {
  await kube.close();
};
await startEngine(
  { kube, kubeconfig, directory, bucket: join(directory, 'stores/backups'), [Symbol.asyncDispose]: dispose },
  {
    controllers: (deps, caches) => [
      createScheduleController({}, deps, caches),
      createLocationController({}, deps, caches),
      createSyncController({}, deps, caches),
      ...createDeleteControllers(deps, caches),
    ],
  },
);
process.stdout.write('ready\n');
