/**
 * The bare loop that a restore is measured against, in a process of its own, with $SERVER, $CA and $TOKEN:
 * `replay-loop.ts RECORD FROM TO METHODS [EXCEPT]` sends what a restore into namespaces that begin with FROM has sent, to namespaces
 * that begin with TO, tier by tier and 50 objects at a time, and prints how long that takes. Of METHODS, such as
 * `POST,PATCH`, only, and nothing of the kinds in EXCEPT.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DEFAULT_PRIORITIES } from '../../src/core/restore/index.ts';
import { tiersOf } from '../../src/core/restore/priorities.ts';
import type { Recorded } from './recorded.ts';
import { cpuSecondsSince, inParallel, lineFromEnvironment, Wire } from './wire.ts';

const WORKERS = 50;
/** It is there already, or not there: the restore has heard the same. */
const EXPECTED: Readonly<Record<string, number>> = { POST: 409, GET: 404 };
const [file = '', from = '', to = '', methods = '', except = ''] = process.argv.slice(2);
/** So many requests make V8 compile what they need; a server that was warmed up is measured against them. */
const WARM_UP = 500;

/** By kind, and then by object, in the order in which they were sent. */
async function read(): Promise<Map<string, Map<string, Recorded[]>>> {
  const kinds = new Map<string, Map<string, Recorded[]>>();
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const request = JSON.parse(line.replaceAll(from, to)) as Recorded;
    const kind = request.group === '' ? request.plural : `${request.plural}.${request.group}`;
    if (!methods.split(',').includes(request.method) || except.split(',').includes(kind)) continue;
    const objects = kinds.get(kind) ?? new Map<string, Recorded[]>();
    kinds.set(kind, objects);
    objects.set(request.of, [...(objects.get(request.of) ?? []), request]);
  }
  return kinds;
}

const kinds = await read();
const tiers = tiersOf(kinds.keys(), DEFAULT_PRIORITIES).map((tier) =>
  tier.flatMap((kind) => [...(kinds.get(kind)?.values() ?? [])]),
);
await using wire = new Wire(lineFromEnvironment(), WORKERS);
await wire.open();
// Into namespaces that are not there yet, or of objects that are: nothing changes.
await inParallel(tiers.flat().flat().slice(-WARM_UP), WORKERS, async ({ method, path, body }) => {
  await wire.send(method, method === 'GET' ? path : `${path}?dryRun=All`, body);
});
const counts: Record<string, number> = {};
const cpuBefore = process.cpuUsage();
const began = performance.now();
for (const tier of tiers) {
  await inParallel(tier, WORKERS, async (requests) => {
    for (const { method, path, body } of requests) {
      const { status, bytes } = await wire.send(method, path, body);
      if (status >= 300 && status !== EXPECTED[method])
        throw new Error(`${method} ${path} answered ${String(status)}: ${bytes.toString('utf8', 0, 300)}`);
      const what = `${method} ${String(status)}`;
      counts[what] = (counts[what] ?? 0) + 1;
    }
  });
}
const seconds = (performance.now() - began) / 1000;
console.log(JSON.stringify({ seconds, cpu: cpuSecondsSince(cpuBefore), counts }));
