import { z } from 'zod';
import { AppError, objectAt } from '../../base/index.ts';
import { Backup } from '../../api/index.ts';
import { checkToldVersion } from '../../core/backup/index.ts';
import { adapterFor, hasVerb, parseOperationId, type DiffAnswer, type TreeEntry } from '../../core/operations/index.ts';
import type { Archive } from '../../edge/archive/index.ts';
import { contentsOf, itemOf } from '../backups/contents.ts';
import { diffOf } from '../backups/diff.ts';
import { liveCluster, otherBackup, type LiveDeps } from '../backups/diff-others.ts';
import { storeOf } from '../backups/stored-files.ts';
import type { Caller } from '../auth/callers.ts';
import { mustMayDownload, operationFor, takerOf, type Acting, type Context } from '../context.ts';
import { ContentsSchema, DiffSchema, ItemSchema, VerifySchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

const ContentsQuery = z.object({
  namespace: z.string().optional().describe('Empty for items without a namespace'),
  kind: z.string().optional().describe('Such as `services` or `deployments.apps`'),
  q: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  continue: z.coerce.number().int().min(0).optional(),
});
const ItemQuery = z.object({ resource: z.string().min(1), namespace: z.string().optional(), name: z.string().min(1) });
const DiffQuery = z.object({ with: z.string().min(1).describe('`cluster`, or the id of another backup') });

type Found = Acting & { entry: TreeEntry };

export function backupRoutes(context: Context): Route[] {
  const find = async ({ caller }: { caller: Caller }, id = ''): Promise<Found> => {
    if (!hasVerb(adapterFor(parseOperationId(id).kind), 'contents')) {
      throw new AppError('usage', `look into ${id}: only backups have contents`);
    }
    const found = await operationFor(context, caller, id);
    mustMayDownload(found);
    return found;
  };
  const look = async <T>(found: Found, signal: AbortSignal, act: (archive: Archive) => Promise<T>): Promise<T> => {
    const { problem } = checkToldVersion(objectAt(found.entry.object, 'status'));
    if (problem !== undefined) throw new AppError('unsupported', `look into ${found.entry.operation.id}: ${problem}`);
    using opened = await storeOf(found.cluster, context.tree, found.entry, signal);
    return await context.archives.use(opened, found.entry.operation.ref.name, act, signal);
  };
  return [
    route({
      method: 'GET',
      path: '/api/backups/:id/contents',
      summary: 'What is in a backup',
      query: ContentsQuery,
      answer: ContentsSchema,
      handle: async (call) => {
        const found = await find(call, call.params['id']);
        const contents = (archive: Archive) => contentsOf(archive, call.query);
        return { json: await context.looks.run(takerOf(found), () => look(found, call.signal, contents), call.signal) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/backups/:id/item',
      summary: 'One item of a backup as YAML; values of Secrets are masked',
      query: ItemQuery,
      answer: ItemSchema,
      handle: async (call) => {
        const found = await find(call, call.params['id']);
        const { resource, namespace, name } = call.query;
        const item = { resource, name, ...(namespace ? { namespace } : {}) };
        const read = (archive: Archive) => itemOf(archive, item);
        return { json: await context.looks.run(takerOf(found), () => look(found, call.signal, read), call.signal) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/backups/:id/diff',
      summary: 'What differs between a backup and the cluster or another backup',
      query: DiffQuery,
      answer: DiffSchema,
      handle: async (call) => {
        const found = await find(call, call.params['id']);
        const { signal, query } = call;
        const second = query.with === 'cluster' ? undefined : await find(call, query.with);
        const compare = async (): Promise<DiffAnswer> => {
          if (second === undefined) {
            const other = await liveCluster(liveDeps(found, signal), signal);
            return await look(found, signal, (archive) => diffOf(archive, other, signal));
          }
          return await look(found, signal, (left) =>
            look(second, signal, (right) => diffOf(left, otherBackup(query.with, right), signal)),
          );
        };
        return { json: await context.heavy.run(takerOf(found), compare, signal) };
      },
    }),
    route({
      method: 'POST',
      path: '/api/backups/:id/verify',
      summary: 'Read the whole archive again and say whether it is what was written',
      answer: VerifySchema,
      handle: async (call) => {
        const found = await find(call, call.params['id']);
        const { name } = found.entry.operation.ref;
        const verify = () => found.cluster.planner.verify(name, call.signal);
        return { json: await context.heavy.run(takerOf(found), verify, call.signal) };
      },
    }),
  ];
}

function liveDeps({ kube, cluster, entry }: Found, signal: AbortSignal): LiveDeps {
  const { name } = entry.operation.ref;
  return {
    kube,
    itemsNow: async () => {
      const object = await kube.get({ type: Backup, namespace: cluster.namespace, name }, { signal });
      return await cluster.planner.items({ kube, object, signal });
    },
  };
}
