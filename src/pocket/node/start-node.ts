import { runController } from '../controllers/loop.ts';
import type { ControllerDeps } from '../controllers/ports.ts';
import { heartbeatController } from './heartbeat.ts';
import { PodAddresses } from './network/index.ts';
import { startProcesses } from './processes.ts';
import type { NodeOptions, StartedNode } from './options.ts';
import { schedulerController } from './scheduler.ts';
import { kubeletController } from './simulated/index.ts';

/** Namespaces, /proc and a loopback interface with many addresses are things of Linux. */
export function canRunPods(): boolean {
  return process.platform === 'linux';
}

const SIMULATED_PREFIX = '10.244.';

/** The node of a cluster: its pods are processes, or simulated where that was asked for or the machine has no way. */
export async function startNode(deps: ControllerDeps, options: NodeOptions): Promise<StartedNode> {
  const { processes } = options;
  if (processes === undefined) return simulated(deps, 'simulated, as was asked for');
  if (!canRunPods()) return simulated(deps, 'simulated: processes need Linux');
  return await startProcesses(deps, { ...options, processes });
}

function simulated(deps: ControllerDeps, message: string): StartedNode {
  const addresses = new PodAddresses(deps.client, SIMULATED_PREFIX);
  const sandbox = { isReady: false, reason: 'Simulated', message };
  const untold = { areSizesReal: false, onScheduled: () => undefined, onWaiting: () => undefined };
  const parts = [
    heartbeatController(deps, { sandbox, podPrefix: SIMULATED_PREFIX }),
    schedulerController(deps, untold),
    kubeletController(deps, addresses),
  ].map((controller) => runController(controller, deps));
  return {
    message,
    connections: undefined,
    close: async () => {
      addresses.close();
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}
