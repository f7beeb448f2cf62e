import { runController } from '../controllers/loop.ts';
import type { ControllerDeps, Running } from '../controllers/ports.ts';
import { heartbeatController } from './heartbeat.ts';
import { kubeletController } from './kubelet.ts';
import { PodAddresses } from './pod-addresses.ts';
import { schedulerController } from './scheduler.ts';

export function startNode(deps: ControllerDeps): Running {
  const addresses = new PodAddresses(deps.client);
  const parts = [heartbeatController(deps), schedulerController(deps), kubeletController(deps, addresses)].map(
    (controller) => runController(controller, deps),
  );
  return {
    close: async () => {
      addresses.close();
      await Promise.all(parts.map((part) => part.close()));
    },
  };
}
