import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../base/index.ts';
import { CONFIG_MAPS, SECRETS, SERVICES, type Container, type Pod } from '../../controllers/kinds/index.ts';
import type { Image } from '../images/index.ts';
import { ContainerLog } from '../logs/index.ts';
import { takenPort } from '../network/index.ts';
import type { ContainerProcess } from '../process/index.ts';
import { removeTree } from '../root/index.ts';
import { ContainerRun } from './container-run.ts';
import { containerSpec } from './container-spec.ts';
import type { PodPaths } from './pod-paths.ts';
import type { WorkerDeps } from './ports.ts';
import type { Teller } from './teller.ts';

export interface StartFacts {
  pod: Pod;
  container: Container;
  image: Image;
  restarts: number;
  podIP: string;
  paths: PodPaths;
  volumes: ReadonlyMap<string, { path: string; isReadOnly: boolean }>;
}

export type Started = { kind: 'run'; run: ContainerRun } | { kind: 'waiting'; reason: string; message: string };

const UP_WITHIN_MS = 30_000;
/** The logs of this life and of the one before are kept. */
const KEPT_LIVES = 2;

/** Where a container has its last words, in its folder. */
export function lastWordsFile(paths: PodPaths, name: string): string {
  return join(paths.container(name), 'last-words');
}

/** Begins a life of a container: looks up what it needs, makes its folder and starts its first process. */
export async function startContainer(deps: WorkerDeps, facts: StartFacts, tell: Teller): Promise<Started> {
  const { pod, container, image, restarts, podIP, paths, volumes } = facts;
  const { client, sandbox, clock } = deps;
  const port = await takenPort(container, podIP);
  if (port !== undefined) {
    const message = `port ${port} is taken: pods share the network of this machine, and somebody listens there already`;
    tell.warn(container, 'PortTaken', message);
    return { kind: 'waiting', reason: 'PortTaken', message };
  }
  const dir = paths.container(container.name);
  await removeTree(dir);
  makeFolder(dir, lastWordsFile(paths, container.name));
  const { namespace = '' } = pod.metadata;
  const built = containerSpec(pod, container, {
    image,
    volumes,
    dir,
    hostsFile: paths.hosts,
    masks: deps.masks,
    lastWords: lastWordsFile(paths, container.name),
    env: {
      configMap: (name) => client.get(CONFIG_MAPS, namespace, name),
      secret: (name) => client.get(SECRETS, namespace, name),
      services: () => client.list(SERVICES),
      podIP,
      node: deps.node,
      imageEnv: image.env,
    },
  });
  if (built.kind === 'problem') {
    tell.warn(container, 'Failed', `Error: ${built.message}`);
    return { kind: 'waiting', reason: built.reason, message: built.message };
  }
  if (built.skipped.length > 0) {
    const why = 'were skipped since they are considered invalid environment variable names.';
    tell.warn(container, 'InvalidEnvironmentVariableNames', `Keys [${built.skipped.join(', ')}] ${why}`);
  }
  const present = 'already present on machine and can be accessed by the pod';
  tell.normal(container, 'Pulled', `Container image "${container.image ?? ''}" ${present}`);
  let process: ContainerProcess;
  try {
    process = await sandbox.start(built.spec);
    tell.normal(container, 'Created', 'Container created');
  } catch (error) {
    return failed(container, messageOf(error), tell);
  }
  await rm(paths.log(container.name, restarts - KEPT_LIVES), { recursive: true, force: true });
  const log = new ContainerLog(paths.log(container.name, restarts), clock);
  const run = new ContainerRun({ container, process, log, podIP, clock });
  return await comeUp(run, tell);
}

async function comeUp(run: ContainerRun, tell: Teller): Promise<Started> {
  const late = setTimeout(() => {
    run.process.kill();
  }, UP_WITHIN_MS);
  try {
    await run.process.up;
  } catch (error) {
    run.process.kill();
    await run.ended;
    return failed(run.container, messageOf(error), tell);
  } finally {
    clearTimeout(late);
  }
  return { kind: 'run', run };
}

function failed(container: Container, message: string, tell: Teller): Started {
  tell.warn(container, 'Failed', `Error: ${message}`);
  return { kind: 'waiting', reason: 'CreateContainerError', message };
}

function makeFolder(dir: string, lastWords: string): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(lastWords, '');
  // Whoever the container is.
  chmodSync(lastWords, 0o666);
}
