import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError, isObject, labelValue, objectAt, textAt, type Json } from '../../base/index.ts';
import { apiVersionOf, Backup, DeleteBackupRequest, Restore, type AnyKind } from '../../api/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { CANCEL_ANNOTATION } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { audited } from '../audit.ts';
import type { Caller } from '../auth/callers.ts';
import { actingIn, clusterMeant, operationFor, takerOf, type Context } from '../context.ts';
import type { ClusterPort, PlanInput } from '../ports.ts';
import {
  actingFor,
  changed,
  ClusterQuery,
  createAs,
  deedOf,
  MANAGER,
  ObjectBody,
  objectOf,
  targetOf,
} from './changing.ts';
import { ChangedSchema, PlanSchema, SelectionSchema } from './schemas.ts';
import { route, type Route } from './route.ts';

/** Something that can be asked about an object before it is created. */
interface Question {
  path: string;
  summary: string;
  answer: z.ZodType;
  ask: (cluster: ClusterPort, kind: AnyKind, input: PlanInput) => Promise<object>;
}

export function changeRoutes(context: Context): Route[] {
  const creating = (kind: AnyKind): Route =>
    route({
      method: 'POST',
      path: `/api/${kind.plural}`,
      summary: `Create a ${kind.kind}, with your own rights`,
      query: ClusterQuery,
      body: ObjectBody,
      status: 201,
      answer: ChangedSchema,
      handle: async (call) => {
        const acting = await actingFor(context, call);
        const object = objectOf(kind, call.body, acting.cluster.namespace);
        return { json: changed(acting, kind, await createAs(context, { acting, call, type: kind }, object)) };
      },
    });
  const asking = ({ path, summary, answer, ask }: Question): Route =>
    route({
      method: 'POST',
      path,
      summary,
      query: ClusterQuery,
      body: ObjectBody.extend({
        kind: z.enum([Backup.kind, Restore.kind]),
        metadata: z.looseObject({}).optional(),
      }),
      answer,
      handle: async ({ query, body, caller, signal }) => {
        const acting = await actingIn(context, caller, clusterMeant(caller, query.cluster));
        const { cluster, kube } = acting;
        const kind = isObject(body) && body['kind'] === Restore.kind ? Restore : Backup;
        const object = objectOf(kind, withName(body), cluster.namespace);
        // Whoever may not create it is told so now, by the cluster itself.
        await kube.create({ type: kind, namespace: cluster.namespace }, object, { dryRun: true, signal });
        const answered = (): Promise<object> => ask(cluster, kind, { kube, object, signal });
        return { json: await context.heavy.run(takerOf(acting), answered, signal) };
      },
    });
  return [
    creating(Backup),
    creating(Restore),
    route({
      method: 'POST',
      path: '/api/operations/:id/cancel',
      summary: 'Ask a running operation to stop',
      answer: ChangedSchema,
      handle: async ({ params, caller, request }) => {
        const found = await operationFor(context, caller, params['id'] ?? '');
        const { adapter, operation, object } = found.entry;
        if (isTerminal(operation.report.state)) {
          throw new AppError('invalid', `cancel ${operation.id}: it has ended already (${operation.phase})`);
        }
        const deed = deedOf(found, 'cancel', object, request.socket.remoteAddress);
        const body = { metadata: { annotations: { [CANCEL_ANNOTATION]: 'true' } } };
        const target = targetOf(adapter.type, object);
        const patched = await audited(context.audit, deed, () =>
          found.kube.patch(target, { kind: 'merge', body }, { fieldManager: MANAGER }),
        );
        return { json: changed(found, adapter.type, patched) };
      },
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
      summary: 'What a Backup or Restore would do, with your own rights; nothing is created',
      answer: PlanSchema,
      ask: ({ planner }, kind, input) => (kind === Restore ? planner.restore(input) : planner.backup(input)),
    }),
    asking({
      path: '/api/selection',
      summary: 'Which names in a Backup or Restore match nothing, with your own rights; nothing is created',
      answer: SelectionSchema,
      ask: ({ planner }, _kind, input) => planner.selection(input),
    }),
  ];
}

/** Somebody who only asks what would happen may not have thought of a name yet; nothing is ever called by this one. */
function withName(body: Json | undefined): Json | undefined {
  const metadata = objectAt(body, 'metadata');
  if (!isObject(body) || (textAt(metadata, 'name') ?? '') !== '') return body;
  return { ...body, metadata: { ...metadata, name: `dry-run-${randomUUID()}` } };
}

async function remove(context: Context, caller: Caller, id: string, address: string | undefined): Promise<object> {
  const found = await operationFor(context, caller, id);
  const { adapter, object } = found.entry;
  const deed = deedOf(found, 'delete', object, address);
  const isBackup = adapter.type.kind === Backup.kind;
  const result = await audited(context.audit, deed, () =>
    isBackup
      ? found.kube.create({ type: DeleteBackupRequest, namespace: found.cluster.namespace }, deleteRequest(object))
      : found.kube.delete(targetOf(adapter.type, object), { preconditions: { uid: object.metadata.uid ?? '' } }),
  );
  return changed(found, adapter.type, isBackup ? object : (result ?? object));
}

/** As `velero backup delete` asks for it. */
function deleteRequest({ metadata }: KubeObject): KubeObject {
  const { name, namespace = '', uid = '' } = metadata;
  const labels = { 'velero.io/backup-name': labelValue(name), 'velero.io/backup-uid': uid };
  return {
    apiVersion: apiVersionOf(DeleteBackupRequest),
    kind: DeleteBackupRequest.kind,
    metadata: { name: '', generateName: `${name}-`, namespace, labels },
    spec: { backupName: name },
  };
}
