import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../base/index.ts';
import { runController } from '../controllers/loop.ts';
import type { ControllerDeps, Running } from '../controllers/ports.ts';
import { podConnections } from './connections.ts';
import { DiskWatch } from './disk/index.ts';
import { EventRecorder, turnstile, UsageWatch } from './container/index.ts';
import { heartbeatController } from './heartbeat.ts';
import { ClusterTable } from './images/index.ts';
import { removeLeftovers } from './leftovers.ts';
import { Programs } from './machine/index.ts';
import { Hosts, PodAddresses, ServiceProxy, takePodNetwork } from './network/index.ts';
import type { NodeOptions, PodProcesses, StartedNode } from './options.ts';
import { chooseSandbox, Pipes, Shepherd, type SandboxChoice } from './process/index.ts';
import { removeTree } from './root/index.ts';
import { schedulerController } from './scheduler.ts';
import { Kubelet } from './worker/index.ts';

/** So many containers are started at a time. */
const STARTS = 8;
const MARK = 'HEADWAY_POCKET';

interface Ground {
  choice: SandboxChoice;
  pipes: Pipes;
  shepherd: Shepherd;
  isRoot: boolean;
}

/** The node whose pods are processes. */
export async function startProcesses(
  deps: ControllerDeps,
  options: NodeOptions & { processes: PodProcesses },
): Promise<StartedNode> {
  const { client, clock, log } = deps;
  const { dataDir, processes, servicePrefix, apiPort } = options;
  const podsDir = join(dataDir, 'pods');
  const claimsDir = join(dataDir, 'volumes');
  await Promise.all([mkdir(podsDir, { recursive: true, mode: 0o700 }), mkdir(claimsDir, { recursive: true })]);
  await removeLeftovers(client, podsDir);
  const network = await takePodNetwork(Math.random);
  if (network === undefined)
    throw new AppError('conflict', 'giving pods addresses failed: every part of 127.0.0.0/8 is taken');
  const ground = await prepareGround(dataDir, processes);
  const { choice, pipes, shepherd } = ground;
  const hidden = [dataDir, ...(processes.hidden ?? [])];
  const events = new EventRecorder({ client, clock, log });
  const hosts = new Hosts(client, log);
  const addresses = new PodAddresses(client, network.prefix);
  const table = new ClusterTable(client, processes.program, log);
  const kubelet = new Kubelet({
    client,
    clock,
    log,
    sandbox: choice.sandbox,
    events,
    hosts,
    usage: new UsageWatch(),
    starts: turnstile(STARTS),
    node: { cpus: cpus().length, memoryBytes: totalmem() },
    isRoot: ground.isRoot,
    addressOf: (uid) => addresses.of(uid),
    findImage: (image) => table.find(image),
    podsDir,
    claimsDir,
    hidden,
    stores: processes.stores ?? [],
    masks: [...hidden, ...(processes.homes ?? [])],
  });
  const disk = new DiskWatch({ dir: dataDir, clock, log, tenants: () => kubelet.workers() });
  const proxy = new ServiceProxy({
    client,
    prefix: servicePrefix,
    apiPort,
    onProblem: (service, message) => {
      events.record(service, { type: 'Warning', reason: 'NotListening', message });
    },
  });
  const sandbox = { isReady: choice.sandbox.kind === 'namespaces', reason: choice.reason, message: choice.message };
  const controllers = [
    heartbeatController(deps, { sandbox, podPrefix: network.prefix }),
    schedulerController(deps, scheduling(events)),
  ].map((controller): Running => runController(controller, deps));
  return {
    message: choice.message,
    connections: podConnections(kubelet),
    close: async () => {
      await disk.close();
      await Promise.all([...controllers, kubelet, proxy, hosts].map((part) => part.close()));
      addresses.close();
      shepherd.close();
      await Promise.all([network.close(), pipes.close(), events.close()]);
    },
  };
}

async function prepareGround(dataDir: string, { searchPath, isPlain = false }: PodProcesses): Promise<Ground> {
  const programs = new Programs(searchPath);
  const pipesDir = join(dataDir, 'pipes');
  await removeTree(pipesDir);
  const pipes = new Pipes(pipesDir, programs.path('mkfifo'));
  const mark = [MARK, randomBytes(8).toString('hex')] as const;
  const shepherd = new Shepherd(programs.path('sh'), mark.join('='));
  const isRoot = process.getuid?.() === 0;
  const dir = join(dataDir, 'trial');
  await removeTree(dir);
  const choice = await chooseSandbox({ programs, pipes, guard: shepherd, dir, isRoot, mark, isPlain });
  await removeTree(dir);
  return { choice, pipes, shepherd, isRoot: isRoot && choice.reason !== 'UserNamespaces' };
}

function scheduling(events: EventRecorder): Parameters<typeof schedulerController>[1] {
  return {
    areSizesReal: true,
    onScheduled: (pod) => {
      const { namespace = '', name } = pod.metadata;
      const message = `Successfully assigned ${namespace}/${name} to pocket`;
      events.recordScheduling(pod, { type: 'Normal', reason: 'Scheduled', message }, 'Binding');
    },
    onWaiting: (pod, message) => {
      events.recordScheduling(pod, { type: 'Warning', reason: 'FailedScheduling', message }, 'Scheduling');
    },
  };
}
