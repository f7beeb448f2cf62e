import type { Clock, Log } from '../../base/index.ts';
import { cronJobController, jobController } from './batch/index.ts';
import { namespaceController, startGarbageCollector } from './cleanup/index.ts';
import { createClusterDefaults, namespaceDefaultsController } from './defaults/index.ts';
import { runController } from './loop.ts';
import { OwnerIndex } from './owner-index.ts';
import type { ControlClient, ControllerDeps, Running } from './ports.ts';
import { disruptionBudgetController, endpointsController } from './services/index.ts';
import {
  claimController,
  claimProtectionController,
  ephemeralClaimController,
  VolumeDirectories,
  volumeController,
  volumeProtectionController,
} from './volumes/index.ts';
import {
  daemonSetController,
  deploymentController,
  replicaSetController,
  statefulSetController,
} from './workloads/index.ts';

export interface ControllersOptions {
  client: ControlClient;
  clock: Clock;
  log: Log;
  /** The cluster's own folder; volumes become directories in it. */
  dataDir: string;
  /** The certificate authority that every namespace is told. */
  caPem: string;
  /** The node, which is started with the controllers and closed with them. */
  startNode(deps: ControllerDeps): Promise<Running>;
}

/**
 * Starts everything that makes objects live. All they know is in the objects: they may be killed at any moment, and
 * the next start goes on from there. The default objects of the cluster exist when this resolves.
 */
export async function startControllers(options: ControllersOptions): Promise<Running> {
  const { client, clock, log, dataDir, caPem } = options;
  await createClusterDefaults(client);
  const owners = new OwnerIndex(client);
  const deps = { client, clock, log, owners };
  const directories = new VolumeDirectories(dataDir);
  const controllers = [
    namespaceController(deps),
    namespaceDefaultsController(deps, caPem),
    deploymentController(deps),
    replicaSetController(deps),
    statefulSetController(deps),
    daemonSetController(deps),
    jobController(deps),
    cronJobController(deps),
    endpointsController(deps),
    disruptionBudgetController(deps),
    claimController(deps, directories),
    volumeController(deps, directories),
    claimProtectionController(deps),
    volumeProtectionController(deps),
    ephemeralClaimController(deps),
  ];
  const running = [
    startGarbageCollector(deps),
    await options.startNode(deps),
    ...controllers.map((controller) => runController(controller, deps)),
  ];
  return {
    close: async () => {
      await Promise.all(running.map((one) => one.close()));
      owners.close();
    },
  };
}
