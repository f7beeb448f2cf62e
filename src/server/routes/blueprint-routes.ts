import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { Blueprint } from '../../api/index.ts';
import { ACTION_SET } from '../../api/resource-types.ts';
import { AppError, isObjectName } from '../../base/index.ts';
import type { BlueprintRow } from '../../core/operations/index.ts';
import { BlueprintBook, listBlueprints } from '../actions/blueprints.ts';
import { sightOf } from '../auth/sight.ts';
import type { Caller } from '../auth/callers.ts';
import { actingIn, clusterMeant, type Acting, type Context } from '../context.ts';
import { BlueprintSchema, BlueprintsSchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

const ClusterQuery = z.object({ cluster: z.string().optional() });
const DEADLINE_MS = 15_000;

/** Blueprints, always with the caller's own rights: the server watches none. */
export function blueprintRoutes(context: Context): Route[] {
  const book = new BlueprintBook();
  return [
    route({
      method: 'GET',
      path: '/api/blueprints',
      summary: 'Blueprints, and how much is wrong with each',
      query: ClusterQuery,
      answer: BlueprintsSchema,
      handle: async ({ query, caller, signal }) => {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
        const clusters = await clustersFor(context, caller, query.cluster);
        const lists = await Promise.allSettled(clusters.map((acting) => rowsIn(context, book, acting, limit)));
        const known = lists.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
        // Refused only where there is nothing else to show.
        const failed = lists.find((each) => each.status === 'rejected');
        if (known.length === 0 && failed !== undefined) throw failed.reason;
        return {
          json: {
            blueprints: known.flatMap(({ rows }) => rows),
            isCut: known.some(({ isCut }) => isCut),
            notes: known.flatMap(({ notes }) => notes),
          },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/blueprints/:namespace/:name',
      summary: 'One Blueprint with everything that is wrong with it',
      query: ClusterQuery,
      answer: BlueprintSchema,
      handle: async ({ params, query, caller, signal }) => {
        const { namespace = '', name = '' } = params;
        if (!isObjectName(namespace) || !isObjectName(name)) {
          throw new AppError('notFound', `find Blueprint ${namespace}/${name}: no such name can be`);
        }
        const { kube, cluster } = await actingIn(context, caller, clusterMeant(caller, query.cluster));
        const object = await kube.get({ type: Blueprint, namespace, name }, { signal });
        return { json: book.answer(cluster.name, object) };
      },
    }),
  ];
}

/** One that does not take the caller any more is only not seen, if another one does. */
async function clustersFor(context: Context, caller: Caller, only: string | undefined): Promise<Acting[]> {
  const { rights } = await sightOf(caller, context.rights);
  const names = context.clusters.flatMap(({ name }) => (rights.has(name) ? [name] : []));
  const wanted = only === undefined ? names : [only];
  return await Promise.all(wanted.map((name) => actingIn(context, caller, name)));
}

async function rowsIn(
  context: Context,
  book: BlueprintBook,
  { kube, cluster, rights }: Acting,
  signal: AbortSignal,
): Promise<{ rows: BlueprintRow[]; isCut: boolean; notes: string[] }> {
  // Where somebody may see action sets, they are likely to see Blueprints.
  const places = [...(rights.asked ?? []), ...context.places.of(cluster.name)];
  const namespaces = [...new Set(places)].filter((name) => rights.maySee(ACTION_SET, name));
  const { found, isCut, notes } = await listBlueprints(kube, { namespaces, signal });
  const rows: BlueprintRow[] = [];
  for (const object of found) {
    rows.push(book.row(cluster.name, object));
    // Whoever wrote long templates must not make everybody else wait for all of them.
    await setImmediate(undefined, { signal });
  }
  return { rows, isCut, notes };
}
