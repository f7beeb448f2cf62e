/**
 * The bare loop that a backup is measured against, in a process of its own, with $SERVER, $CA and $TOKEN:
 * `list-loop.ts plan SELECTED` tries lists over all namespaces and per namespace, in several mixes and with several
 * workers, and prints the fastest; `list-loop.ts run PLAN` prints how long that takes.
 */
import { readFileSync } from 'node:fs';
import { countKinds, kindsOf, listsFor, pagesOf, type ListPlan, type Selected } from './list-plan.ts';
import { cpuSecondsSince, inParallel, lineFromEnvironment, Wire } from './wire.ts';

const CONNECTIONS = 32;
const KIB = 1024;
/** The one with the fewest requests first. */
const REQUEST_BYTES = [1024 * KIB, 128 * KIB, 32 * KIB, 1];
const WORKERS = [4, 8, 16];

const [mode = '', argument = ''] = process.argv.slice(2);
await using wire = new Wire(lineFromEnvironment(), CONNECTIONS);

interface Timed {
  seconds: number;
  /** Of this process. */
  cpu: number;
  objects: number;
  megabytes: number;
  requests: number;
}

/** Undefined if it takes longer than that: then it is broken off. */
async function run({ lists, workers }: ListPlan, withinSeconds = Infinity): Promise<Timed | undefined> {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const timed = { objects: 0, megabytes: 0, requests: 0 };
  const seconds = (): number => (performance.now() - began) / 1000;
  await inParallel(lists, workers, async (path) => {
    if (seconds() > withinSeconds) return;
    for await (const { page, bytes } of pagesOf(wire, path)) {
      timed.objects += page.items.length;
      timed.megabytes += bytes / 1e6;
      timed.requests += 1;
    }
  });
  if (seconds() > withinSeconds) return undefined;
  return { ...timed, seconds: seconds(), cpu: cpuSecondsSince(cpuBefore) };
}

async function plan(selected: Selected): Promise<ListPlan> {
  const kinds = await countKinds(wire, await kindsOf(wire, selected), selected);
  let best: { plan: ListPlan; seconds: number } | undefined;
  const mixes = new Map(REQUEST_BYTES.map((bytes) => listsFor(kinds, selected, bytes)).map((one) => [one.join(), one]));
  for (const workers of WORKERS) {
    for (const lists of mixes.values()) {
      // Of a large cluster, a list for each kind and namespace takes minutes.
      const timed = await run({ lists, workers }, best?.seconds);
      if (timed !== undefined) best = { plan: { lists, workers }, seconds: timed.seconds };
    }
  }
  return best!.plan;
}

if (mode === 'plan') console.log(JSON.stringify(await plan(JSON.parse(argument) as Selected)));
else {
  const given = JSON.parse(readFileSync(argument, 'utf8')) as ListPlan;
  // The first time, V8 compiles.
  await run(given);
  console.log(JSON.stringify(await run(given)));
}
