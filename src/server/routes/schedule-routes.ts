import { z } from 'zod';
import { AppError, nextRun, objectAt, parseCron, textAt, type Json } from '../../base/index.ts';
import { Backup, Schedule } from '../../api/index.ts';
import { scheduledBackup } from '../../core/backup/schedule/index.ts';
import type { KubeObject, Patch } from '../../edge/kube/index.ts';
import { audited, type Deed } from '../audit.ts';
import type { Acting, Context } from '../context.ts';
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
  watchedObject,
  type ChangeCall,
} from './changing.ts';
import { ChangedSchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

const PATH = '/api/schedules/:name';

/** Everything that can be done to a schedule, each with the caller's own rights. */
export function scheduleRoutes(context: Context): Route[] {
  const find = async (call: ChangeCall): Promise<{ acting: Acting; object: KubeObject }> => {
    const acting = await actingFor(context, call);
    return { acting, object: watchedObject(acting, Schedule, call.params['name'] ?? '') };
  };
  const patch = async (call: ChangeCall, action: Deed['action'], body: Patch): Promise<object> => {
    const { acting, object } = await find(call);
    const deed = deedOf(acting, action, object, call.request.socket.remoteAddress);
    const patched = await audited(context.audit, deed, () =>
      acting.kube.patch(targetOf(Schedule, object), body, { fieldManager: MANAGER }),
    );
    return changed(acting, Schedule, patched);
  };
  return [
    route({
      method: 'POST',
      path: '/api/schedules',
      summary: 'Create a Schedule, with your own rights',
      query: ClusterQuery,
      body: ObjectBody,
      status: 201,
      answer: ChangedSchema,
      handle: async (call) => {
        const acting = await actingFor(context, call);
        const object = objectOf(Schedule, call.body, acting.cluster.namespace);
        checkCron(object, context.clock.now());
        return { json: changed(acting, Schedule, await createAs(context, { acting, call, type: Schedule }, object)) };
      },
    }),
    route({
      method: 'PUT',
      path: PATH,
      summary: 'Replace the spec of a Schedule',
      query: ClusterQuery,
      body: z.looseObject({ spec: z.looseObject({}) }),
      answer: ChangedSchema,
      handle: async (call) => {
        const spec = objectAt(call.body, 'spec');
        const { acting, object } = await find(call);
        const named: Json = { metadata: { name: object.metadata.name }, spec };
        checkCron(objectOf(Schedule, named, acting.cluster.namespace), context.clock.now());
        return {
          json: await patch(call, 'edit', { kind: 'json', body: [{ op: 'replace', path: '/spec', value: spec }] }),
        };
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/pause`,
      summary: 'Pause a Schedule, or resume it',
      query: ClusterQuery,
      body: z.strictObject({ paused: z.boolean() }),
      answer: ChangedSchema,
      handle: async (call) => {
        const { paused = false } = objectAt(call.body) as { paused?: boolean };
        return { json: await patch(call, paused ? 'pause' : 'resume', { kind: 'merge', body: { spec: { paused } } }) };
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/run`,
      summary: 'Create the backup of a Schedule now',
      query: ClusterQuery,
      status: 201,
      answer: ChangedSchema,
      handle: async (call) => {
        const { acting, object } = await find(call);
        const now = context.clock.now();
        // It is not one of the runs that the schedule has to make, so it does not claim to be.
        const { status: _, ...backup } = scheduledBackup(Schedule.parse(object).value, {
          ...{ now, dueAt: now, zone: zoneHere() },
        });
        return { json: changed(acting, Backup, await createAs(context, { acting, call, type: Backup }, backup)) };
      },
    }),
    route({
      method: 'DELETE',
      path: PATH,
      summary: 'Delete a Schedule; its backups stay',
      query: ClusterQuery,
      answer: ChangedSchema,
      handle: async (call) => {
        const { acting, object } = await find(call);
        const deed = deedOf(acting, 'delete', object, call.request.socket.remoteAddress);
        const preconditions = { uid: object.metadata.uid ?? '' };
        await audited(context.audit, deed, () => acting.kube.delete(targetOf(Schedule, object), { preconditions }));
        return { json: changed(acting, Schedule, object) };
      },
    }),
  ];
}

/** Told at the field now, instead of in the status of a schedule that never runs. */
function checkCron(schedule: KubeObject, now: number): void {
  const text = textAt(schedule, 'spec', 'schedule') ?? '';
  const { cron, problems = [] } = parseCron(text, zoneHere());
  const never = cron !== undefined && nextRun(cron, now) === undefined ? ['it would never run'] : [];
  const [problem] =
    text === '' ? ['say when to run, such as 0 3 * * * for every night at three'] : [...problems, ...never];
  if (problem === undefined) return;
  throw new AppError('invalid', `read the schedule ${JSON.stringify(text)}: ${problem}`, {
    details: { fields: [{ field: 'spec.schedule', message: problem }] },
  });
}

function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
