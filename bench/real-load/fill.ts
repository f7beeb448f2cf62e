import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../src/base/index.ts';
import { eventually } from '../../test/eventually.ts';
import type { GeneratedCluster } from './cluster.ts';
import { inParallel, type Wire } from './wire.ts';

const WORKERS = 40;
/** Controllers make pods at a few hundred a second. */
const SETTLE_MS = 20 * 60_000;
/** Nothing new for so long: the controllers are done. */
const QUIET_MS = 5_000;
const LOOK_MS = 1_000;
/** What controllers make, and how one sees that they have made it. */
const MADE_BY_CONTROLLERS = [
  '/api/v1/pods',
  '/apis/apps/v1/replicasets',
  '/apis/discovery.k8s.io/v1/endpointslices',
  '/api/v1/events',
];

/** Makes everything that a generated cluster has; says how many objects that are. */
export async function fill(wire: Wire, cluster: GeneratedCluster): Promise<number> {
  let objects = 0;
  const make = async ({ path, object }: { path: string; object: JsonObject }): Promise<string> => {
    const answer = JSON.parse(await wire.ask('POST', path, JSON.stringify(object))) as { metadata: { uid: string } };
    objects += 1;
    return answer.metadata.uid;
  };
  const definitions = cluster.definitions();
  await inParallel(definitions, WORKERS, make);
  for (const { object } of definitions) await served(wire, object);
  await inParallel(cluster.clusterWide(), WORKERS, make);
  await inParallel(cluster.namespaces.keys(), WORKERS, async (index) => {
    const making = cluster.namespace(index);
    for (let next = making.next(); next.done !== true; next = making.next(await make(next.value)));
  });
  return objects;
}

async function served(wire: Wire, definition: JsonObject): Promise<void> {
  const { group, names } = definition['spec'] as { group: string; names: { plural: string } };
  await eventually(async () => await wire.ask('GET', `/apis/${group}/v1/${names.plural}?limit=1`), {
    withinMs: 60_000,
  });
}

/** Waits until the controllers have made of it what they make: until the counts stand still. */
export async function settled(wire: Wire): Promise<void> {
  const began = performance.now();
  let last = '';
  let since = began;
  while (performance.now() - since < QUIET_MS) {
    const counts = await Promise.all(MADE_BY_CONTROLLERS.map((path) => countAt(wire, path)));
    if (counts.join() !== last) since = performance.now();
    last = counts.join();
    if (performance.now() - began > SETTLE_MS) throw new Error(`the controllers are still at work: ${last}`);
    await delay(LOOK_MS);
  }
}

async function countAt(wire: Wire, path: string): Promise<number> {
  const list = JSON.parse(await wire.ask('GET', `${path}?limit=1`)) as {
    metadata: { remainingItemCount?: number };
    items: unknown[];
  };
  return list.items.length + (list.metadata.remainingItemCount ?? 0);
}
