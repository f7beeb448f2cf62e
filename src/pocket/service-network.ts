import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivate } from './apiserver/index.ts';

/** Where no process would ever connect to it, services have the addresses of a usual cluster. */
export const SIMULATED_SERVICES = '10.96.';

const FILE = 'service-network';
const FIRST = 128;
const LAST = 254;

/**
 * The first half of the addresses of services, on the loopback interface. It is chosen once for each cluster, because
 * services keep their addresses over restarts, and at random, because clusters of one machine should not meet.
 */
export function servicePrefixOf(dir: string, random: () => number): string {
  const path = join(dir, FILE);
  const known = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const [, number] = /^127\.(\d{3})\.$/.exec(known) ?? [];
  if (number !== undefined && Number(number) >= FIRST && Number(number) <= LAST) return known;
  const prefix = `127.${FIRST + Math.floor(random() * (LAST - FIRST + 1))}.`;
  writePrivate(path, `${prefix}\n`);
  return prefix;
}
