/**
 * The bare loop that a backup is measured against, in a process of its own, with $SERVER, $CA and $TOKEN:
 * `list-loop.ts plan SELECTED` tries lists over all namespaces and per namespace, in several mixes and with several
 * workers, and prints the fastest; `list-loop.ts run PLAN` prints how long that takes.
 */
import { readFileSync } from 'node:fs';
import {
  countKinds,
  countsOf,
  kindsOf,
  listsFor,
  pagesOf,
  type Counts,
  type ListPlan,
  type Selected,
} from './list-plan.ts';
import { cpuSecondsSince, inParallel, lineFromEnvironment, Wire } from './wire.ts';

const CONNECTIONS = 32;
const KIB = 1024;
/** The one with the fewest requests first. */
const REQUEST_BYTES = [1024 * KIB, 128 * KIB, 32 * KIB, 1];
const WORKERS = [4, 8, 16, 32, 2];
/** Of the fastest, once more: one turn alone may have been disturbed. */
const FINALISTS = 3;

const [mode = '', argument = ''] = process.argv.slice(2);
await using wire = new Wire(lineFromEnvironment(), CONNECTIONS);
await wire.open();

interface Timed {
  seconds: number;
  /** Of this process. */
  cpu: number;
  megabytes: number;
  requests: number;
}

/** Undefined if it takes longer than that: then it is broken off. */
async function run({ lists, workers }: ListPlan, withinSeconds = Infinity): Promise<Timed | undefined> {
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const timed = { megabytes: 0, requests: 0 };
  const seconds = (): number => (performance.now() - began) / 1000;
  await inParallel(lists, workers, async (path) => {
    if (seconds() > withinSeconds) return;
    for await (const page of pagesOf(wire, path)) {
      timed.megabytes += page.length / 1e6;
      timed.requests += 1;
    }
  });
  if (seconds() > withinSeconds) return undefined;
  return { ...timed, seconds: seconds(), cpu: cpuSecondsSince(cpuBefore) };
}

async function plan(selected: Selected): Promise<ListPlan & Counts> {
  const kinds = await countKinds(wire, await kindsOf(wire), selected);
  const tried: { plan: ListPlan; seconds: number }[] = [];
  const mixes = new Map(REQUEST_BYTES.map((bytes) => listsFor(kinds, selected, bytes)).map((one) => [one.join(), one]));
  const best = (): number => Math.min(Infinity, ...tried.map(({ seconds }) => seconds));
  for (const workers of WORKERS) {
    for (const lists of mixes.values()) {
      // Of a large cluster, a list for each kind and namespace takes minutes.
      const timed = await run({ lists, workers }, 1.5 * best());
      if (timed !== undefined) tried.push({ plan: { lists, workers }, seconds: timed.seconds });
    }
  }
  const finalists = tried.toSorted((a, b) => a.seconds - b.seconds).slice(0, FINALISTS);
  for (const one of finalists) one.seconds = Math.min(one.seconds, (await run(one.plan))?.seconds ?? Infinity);
  const [fastest] = finalists.toSorted((a, b) => a.seconds - b.seconds);
  return { ...fastest!.plan, ...countsOf(kinds) };
}

if (mode === 'plan') console.log(JSON.stringify(await plan(JSON.parse(argument) as Selected)));
else {
  const given = JSON.parse(readFileSync(argument, 'utf8')) as ListPlan;
  // The first time, V8 compiles.
  await run(given);
  console.log(JSON.stringify(await run(given)));
}
