import { z } from 'zod';
import { messageOf } from '../../base/index.ts';
import { BACKUP } from '../../api/resource-types.ts';
import { isTerminal } from '../../core/progress/index.ts';
import {
  closingSentence,
  mergeProblems,
  NOUNS,
  OPERATION_SORTS,
  parseStates,
  type OperationDetail,
  type OperationQuery,
  type TreeEntry,
} from '../../core/operations/index.ts';
import { operationSight, sightOf } from '../auth/sight.ts';
import { storeOf } from '../backups/stored-files.ts';
import { operationFor, type Acting, type Context } from '../context.ts';
import { BackupsSchema, OperationDetailSchema, OperationsSchema, SamplesSchema } from './schemas/index.ts';
import { route, type Call, type Route } from './route.ts';

export const OperationFilter = z.object({
  kind: z.string().optional(),
  noun: z.enum(NOUNS).optional().describe('A word that stands for several kinds'),
  parent: z
    .string()
    .max(1000)
    .optional()
    .describe('Only the parts of this operation; `none` for those that are no part of another'),
  volumes: z
    .enum(['top'])
    .optional()
    .describe('`top`: of the volumes only those that are no part of another operation'),
  state: z.string().optional().describe('States with commas between them; `stalled` is one'),
  namespace: z.string().optional(),
  cluster: z.string().optional(),
  q: z.string().max(200).optional().describe('Part of a name'),
  sort: z.enum(OPERATION_SORTS).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(500),
});
const ListQuery = OperationFilter.extend({ continue: z.string().max(1000).optional() });

/** How long a look at an ended operation waits for its location; without an answer it goes without the details. */
const PROBLEMS_MS = 5000;

/** Written in one way, so that equal questions of several streams are recognized. */
export function operationQuery(asked: z.output<typeof OperationFilter>): OperationQuery {
  const { kind, noun, parent, volumes, state, namespace, cluster, q, sort } = asked;
  return {
    ...(kind === undefined ? {} : { kind: kind.toLowerCase() }),
    ...(noun === undefined ? {} : { noun }),
    ...(parent === undefined ? {} : { parent }),
    ...(volumes === undefined ? {} : { volumes }),
    ...(state === undefined ? {} : { state: [...new Set(parseStates(state))].toSorted() }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(q === undefined || q === '' ? {} : { q: q.toLowerCase() }),
    ...(sort === undefined ? {} : { sort }),
  };
}

export function operationRoutes(context: Context): Route[] {
  const list = async ({ query, caller }: Call<z.output<typeof ListQuery>>, fixed: OperationQuery = {}) => {
    const { maySee } = await operationSight(caller, context.rights);
    const { limit, continue: after } = query;
    const now = context.clock.now();
    return context.tree.page({ ...operationQuery(query), ...fixed }, maySee, { limit, now, continue: after });
  };
  return [
    route({
      method: 'GET',
      path: '/api/operations',
      summary: 'Operations of all kinds and clusters, what needs attention first',
      query: ListQuery,
      answer: OperationsSchema,
      handle: async (call) => ({ json: await list(call) }),
    }),
    route({
      method: 'GET',
      path: '/api/backups',
      summary: 'Backups, the newest first',
      query: ListQuery,
      answer: BackupsSchema,
      handle: async (call) => {
        const {
          operations,
          total,
          continue: next,
        } = await list(call, {
          kind: BACKUP.kind,
          sort: call.query.sort ?? '-created',
        });
        return { json: { backups: operations, total, ...(next === undefined ? {} : { continue: next }) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/operations/:id',
      summary: 'Everything about one operation',
      answer: OperationDetailSchema,
      handle: async ({ params, caller, signal }) => {
        const found = await operationFor(context, caller, params['id'] ?? '');
        const { maySee } = await sightOf(caller, context.rights);
        const detail = context.tree.detail(found.entry.operation.id, context.clock.now(), maySee);
        return { json: await withStoredProblems(context, found, detail as OperationDetail, signal) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/operations/:id/samples',
      summary: 'How fast an operation was, since this server has watched it',
      answer: SamplesSchema,
      handle: async ({ params, caller }) => {
        const { entry } = await operationFor(context, caller, params['id'] ?? '');
        return { json: { samples: context.history.of(entry.operation) } };
      },
    }),
  ];
}

/** What status has only counted is in the results file, for whoever may read that. */
async function withStoredProblems(
  context: Context,
  found: Acting & { entry: TreeEntry },
  detail: OperationDetail,
  signal: AbortSignal,
): Promise<OperationDetail> {
  const hasFiles = found.entry.adapter.files !== undefined;
  const hasMore = hasFiles && detail.errors + detail.warnings > 0 && isTerminal(detail.report.state);
  if (!hasMore || !found.rights.mayDownload) return detail;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBLEMS_MS)]);
    using opened = await storeOf(found.cluster, context.tree, found.entry, limit);
    const told = await context.results.problemsOf(opened, found.entry, limit);
    const problems = mergeProblems(detail.problems, told);
    const sentence = closingSentence(found.entry.adapter, { ...detail, problems }, detail.itemsByKind);
    return { ...detail, problems, ...(sentence === undefined ? {} : { sentence }) };
  } catch (error) {
    // The location may be away for long; what status tells is true all the same.
    context.log.warn('results not read', { operation: detail.id, err: messageOf(error) });
    return detail;
  }
}
