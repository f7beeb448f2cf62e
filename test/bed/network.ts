import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { reserve } from './ports.ts';

/** The addresses of one cluster with a node: a range of its own, so that beds and clusters stay apart. */
export interface NodeNetwork {
  /** The interface on the host; its other end is the node's. */
  link: string;
  /** All of it; the host sends what goes there to the node. */
  range: string;
  /** Where the host is reached from the node and its pods; API server and S3 server listen here. */
  host: string;
  node: string;
  pods: string;
  services: string;
  /** Of the Service `kubernetes`. */
  service: string;
}

const FIRST = 100;
const COUNT = 100;

/** What the links and cgroups of a bed begin with: whoever cleans up knows no more than its directory. */
export function bedMark(directory: string): string {
  return `hw${createHash('sha256').update(directory).digest('hex').slice(0, 8)}`;
}

/** A range `10.N.0.0/16` that this machine does not use otherwise. */
export async function reserveNetwork(directory: string, cluster: string): Promise<NodeNetwork> {
  const taken = takenRanges();
  const start = Math.floor(Math.random() * COUNT);
  for (let step = 0; step < COUNT; step++) {
    const second = FIRST + ((start + step) % COUNT);
    if (taken.has(second) || !(await reserve(`network-${second}`))) continue;
    const at = (rest: string) => `10.${second}.${rest}`;
    return {
      link: `${bedMark(directory)}-${cluster.replace(/^bed-/, '')}`,
      range: at('0.0/16'),
      host: at('0.1'),
      node: at('0.2'),
      pods: at('16.0/20'),
      services: at('32.0/20'),
      service: at('32.1'),
    };
  }
  throw new Error(`find a free network between 10.${FIRST}.0.0 and 10.${FIRST + COUNT - 1}.0.0: all are in use`);
}

/** The second bytes of every 10.x range that an interface or a route of this machine has. */
function takenRanges(): Set<number> {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const routes = readFileSync('/proc/net/route', 'utf8').split('\n').slice(1);
  return new Set([
    ...own.map(({ address }) => /^10\.(\d+)\./.exec(address)?.[1]).map(Number),
    // As the kernel writes them: hexadecimal, in the byte order of the machine.
    ...routes.map((route) => /^\S+\s+....(..)0A\s/.exec(route)?.[1] ?? '').map((byte) => Number.parseInt(byte, 16)),
  ]);
}
