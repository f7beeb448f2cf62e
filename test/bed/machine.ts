import { existsSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cacheDirectory, debianTree } from './cache.ts';
import { type Command, launch, waitFor, type Workplace } from './launch.ts';
import { bedMark, type NodeNetwork } from './network.ts';

/** Namespaces that hold the node of one cluster; they end with their first process, and take all that is in them along. */
export interface Machine {
  network: NodeNetwork;
  /** Everything it writes; `volumes` in it has the volumes that were provisioned. */
  directory: string;
  /** Below every cgroup hierarchy. */
  cgroup: string;
  /** The same command inside: with its mounts only, or with its network and processes too. */
  inside: (command: Command, what?: 'mounts' | 'all') => Command;
}

interface MachineOptions {
  cluster: string;
  network: NodeNetwork;
  /** Where the Service `kubernetes` leads. */
  endpoint: string;
}

const SCRIPT = fileURLToPath(new URL('machine.sh', import.meta.url));
const CGROUPS = '/sys/fs/cgroup';
const READY_MS = 20_000;
const GONE_MS = 10_000;

export async function startMachine(place: Workplace, options: MachineOptions): Promise<Machine> {
  const { network } = options;
  const directory = join(place.directory, options.cluster, 'node');
  const cgroup = `headway-bed-${network.link}`;
  const addresses = [network.link, network.range, network.host, network.node, network.service, options.endpoint];
  const holder = launch(place, {
    name: machineName(options.cluster),
    program: 'bash',
    args: [SCRIPT, place.directory, directory, debianTree('node'), cacheDirectory(), cgroup, ...addresses],
  });
  await waitFor(place, holder, {
    what: 'its network',
    timeoutMs: READY_MS,
    missing: () => Promise.resolve(existsSync(join(directory, 'ready')) ? undefined : 'not set up'),
  });
  return { network, directory, cgroup, inside: insideOf(holder.pid) };
}

/** Commands inside the machine that this process holds. */
export function insideOf(holder: number): Machine['inside'] {
  const first = readFileSync(`/proc/${holder}/task/${holder}/children`, 'utf8').trim();
  const enter = { mounts: ['--mount'], all: ['--mount', '--net', '--pid'] };
  return (command, what = 'all') => ({
    ...command,
    program: 'nsenter',
    args: ['--target', first, ...enter[what], '--', command.program, ...command.args],
  });
}

/** What the process that holds the machine of a cluster is called in the state of its bed. */
export const machineName = (cluster: string) => `${cluster}-machine`;

/** What outlives the machines of a bed: their links for a moment, their cgroups for ever. Their processes must be gone. */
export async function removeLeftovers(bedDirectory: string): Promise<void> {
  const mark = bedMark(bedDirectory);
  const deadline = Date.now() + GONE_MS;
  const left = () => [
    ...readdirSync('/sys/class/net').filter((link) => link.startsWith(`${mark}-`)),
    ...cgroupsOf(mark).filter((path) => !removed(path)),
  ];
  for (let what = left(); what.length > 0; what = left()) {
    if (Date.now() >= deadline) throw new Error(`clean up the bed in ${bedDirectory}: ${what.join(', ')} would not go`);
    await sleep(20);
  }
}

/** In the one hierarchy of today, or in each of the many of before. */
function cgroupsOf(mark: string): string[] {
  const roots = existsSync(join(CGROUPS, 'cgroup.controllers')) ? [CGROUPS] : subfolders(CGROUPS);
  return roots.flatMap((root) => subfolders(root).filter((path) => path.includes(`/headway-bed-${mark}-`)));
}

function removed(cgroup: string): boolean {
  try {
    for (const child of subfolders(cgroup)) removed(child);
    rmdirSync(cgroup);
    return true;
  } catch {
    return !existsSync(cgroup); // Busy for as long as the kernel has not buried the last process.
  }
}

function subfolders(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  } catch {
    return []; // Gone since the listing, or a machine without cgroups.
  }
}
