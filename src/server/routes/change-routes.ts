import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError, isObject, objectAt, textAt, type Json } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { ADAPTERS, adapterFor, hasVerb, type Adapter, type Verb } from '../../core/operations/index.ts';
import { audited } from '../audit.ts';
import type { Caller } from '../auth/callers.ts';
import { actingIn, clusterMeant, operationFor, takerOf, type Context } from '../context.ts';
import { placeOf } from '../places.ts';
import type { PlanInput, Planner } from '../ports.ts';
import {
  actingFor,
  changed,
  ClusterQuery,
  createAs,
  deedOf,
  kindOf,
  MANAGER,
  ObjectBody,
  objectOf,
  targetOf,
} from './changing.ts';
import { ChangedSchema, PlanSchema, SelectionSchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

/** Something that can be asked about an object before it is created. */
interface Question {
  path: string;
  summary: string;
  answer: z.ZodType;
  /** Of which it can be asked. */
  kinds: readonly string[];
  /** Who answers it, by kind. */
  answerers: (planner: Planner) => Readonly<Record<string, (input: PlanInput) => Promise<object>>>;
}

const kindsWith = (verb: Verb): string[] =>
  ADAPTERS.filter((adapter) => hasVerb(adapter, verb)).map(({ type }) => type.kind);
const PLANNED = kindsWith('plan');
/** What consists of items chooses them by name. */
const SELECTING = kindsWith('items');

/** Changes of operations, whatever their kind: what can be done with one, and how, its adapter says. */
export function changeRoutes(context: Context): Route[] {
  const creating = (adapter: Adapter): Route => {
    const kind = kindOf(adapter.type);
    return route({
      method: 'POST',
      path: `/api/${kind.plural}`,
      summary: `Create a ${kind.kind}, with your own rights`,
      query: ClusterQuery,
      body: ObjectBody,
      status: 201,
      answer: ChangedSchema,
      handle: async (call) => {
        const acting = await actingFor(context, call);
        const object = objectOf(kind, call.body, placeOf(adapter, acting.cluster));
        return { json: changed(acting, kind, await createAs(context, { acting, call, type: kind }, object)) };
      },
    });
  };
  const asking = ({ path, summary, answer, kinds, answerers }: Question): Route =>
    route({
      method: 'POST',
      path,
      summary,
      query: ClusterQuery,
      body: ObjectBody.extend({
        kind: z.enum(kinds),
        metadata: z.looseObject({}).optional(),
      }),
      answer,
      handle: async ({ query, body, caller, signal }) => {
        const acting = await actingIn(context, caller, clusterMeant(caller, query.cluster));
        const { cluster, kube } = acting;
        const adapter = adapterFor(textAt(body, 'kind') ?? '');
        const { type } = adapter;
        const object = objectOf(kindOf(type), withName(body), placeOf(adapter, cluster));
        const { namespace = '' } = object.metadata;
        // Whoever may not create it is told so now, by the cluster itself.
        await kube.create({ type, namespace }, object, { dryRun: true, signal });
        const ask = answerers(cluster.planner)[type.kind];
        if (ask === undefined) throw new AppError('bug', `${path} of ${type.kind}: nobody answers it here`);
        const answered = (): Promise<object> => ask({ kube, object, signal });
        return { json: await context.heavy.run(takerOf(acting), answered, signal) };
      },
    });
  return [
    ...ADAPTERS.filter((adapter) => hasVerb(adapter, 'create')).map(creating),
    route({
      method: 'POST',
      path: '/api/operations/:id/cancel',
      summary: 'Ask a running operation to stop',
      answer: ChangedSchema,
      handle: async ({ params, caller, request }) => ({
        json: await cancel(context, caller, params['id'] ?? '', request.socket.remoteAddress),
      }),
    }),
    route({
      method: 'DELETE',
      path: '/api/operations/:id',
      summary: 'Delete an operation; a backup goes with its files',
      status: 202,
      answer: ChangedSchema,
      handle: async ({ params, caller, request }) => ({
        json: await remove(context, caller, params['id'] ?? '', request.socket.remoteAddress),
      }),
    }),
    asking({
      path: '/api/plan',
      summary: `What a ${PLANNED.join(' or ')} would do, with your own rights; nothing is created`,
      answer: PlanSchema,
      kinds: PLANNED,
      answerers: ({ plans }) => plans,
    }),
    asking({
      path: '/api/selection',
      summary: `Which names in a ${SELECTING.join(' or ')} match nothing, with your own rights; nothing is created`,
      answer: SelectionSchema,
      kinds: SELECTING,
      answerers: ({ selections }) => selections,
    }),
  ];
}

/** Somebody who only asks what would happen may not have thought of a name yet; nothing is ever called by this one. */
function withName(body: Json | undefined): Json | undefined {
  const metadata = objectAt(body, 'metadata');
  if (!isObject(body) || (textAt(metadata, 'name') ?? '') !== '') return body;
  return { ...body, metadata: { ...metadata, name: `dry-run-${randomUUID()}` } };
}

async function cancel(context: Context, caller: Caller, id: string, address: string | undefined): Promise<object> {
  const found = await operationFor(context, caller, id);
  const { adapter, operation, object } = found.entry;
  if (isTerminal(operation.report.state)) {
    throw new AppError('invalid', `cancel ${operation.id}: it has ended already (${operation.phase})`);
  }
  const way = adapter.cancel;
  if (way === undefined) {
    throw new AppError('invalid', `cancel ${operation.id}: a ${adapter.type.kind} cannot be canceled by itself`, {
      details: { hint: adapter.afterCancel },
    });
  }
  const deed = deedOf(found, 'cancel', object, address);
  const patched = await audited(context.audit, deed, () =>
    found.kube.patch(targetOf(adapter.type, object), { kind: 'merge', body: way.patch }, { fieldManager: MANAGER }),
  );
  return changed(found, adapter.type, patched);
}

async function remove(context: Context, caller: Caller, id: string, address: string | undefined): Promise<object> {
  const found = await operationFor(context, caller, id);
  const { adapter, object } = found.entry;
  const deed = deedOf(found, 'delete', object, address);
  const request = adapter.deletion.request?.(object);
  const result = await audited(context.audit, deed, async () => {
    if (request === undefined) {
      return await found.kube.delete(targetOf(adapter.type, object), {
        preconditions: { uid: object.metadata.uid ?? '' },
      });
    }
    const { namespace = '' } = request.object.metadata;
    await found.kube.create({ type: request.type, namespace }, request.object);
    return object;
  });
  return changed(found, adapter.type, result ?? object);
}
