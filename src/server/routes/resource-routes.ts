import { z } from 'zod';
import { AppError, nextRun, objectAt, parseCron, textAt, valueAt, without, type JsonObject } from '../../base/index.ts';
import { BackupStorageLocation, Schedule, type ResourceType } from '../../api/index.ts';
import { SCHEDULE_NAME_LABEL } from '../../core/backup/schedule/index.ts';
import {
  hasVerb,
  type LocationRow,
  type MaySee,
  type Operation,
  type ScheduleRow,
} from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { sightOf } from '../auth/sight.ts';
import type { Caller } from '../auth/callers.ts';
import type { Context } from '../context.ts';
import { LocationsSchema, SchedulesSchema } from './schemas/index.ts';
import { route, type Route } from './route.ts';

const ClusterQuery = z.object({ cluster: z.string().optional() });

export function resourceRoutes(context: Context): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/schedules',
      summary: 'Schedules, and when they run next',
      query: ClusterQuery,
      answer: SchedulesSchema,
      handle: async ({ query, caller }) => {
        const seen = await seenObjects(context, caller, { type: Schedule, cluster: query.cluster });
        const { maySee } = await sightOf(caller, context.rights);
        const newest = newestBackups(context, maySee);
        return { json: { schedules: seen.map((each) => scheduleRow(each, { newest, now: context.clock.now() })) } };
      },
    }),
    route({
      method: 'GET',
      path: '/api/locations',
      summary: 'Storage locations, whether they work, and what they hold',
      query: ClusterQuery,
      answer: LocationsSchema,
      handle: async ({ query, caller }) => {
        const seen = await seenObjects(context, caller, { type: BackupStorageLocation, cluster: query.cluster });
        const { maySee } = await sightOf(caller, context.rights);
        const backups = storedIn(context, maySee);
        return { json: { locations: seen.map((each) => locationRow(each, backups)) } };
      },
    }),
  ];
}

interface SeenObject {
  cluster: string;
  object: KubeObject;
}

/** All that the caller may see. Refused only where there is nothing else to show: no cluster lets them. */
async function seenObjects(
  context: Context,
  caller: Caller,
  { type, cluster: only }: { type: ResourceType; cluster: string | undefined },
): Promise<SeenObject[]> {
  const { rights } = await sightOf(caller, context.rights);
  const clusters = context.clusters.filter(({ name }) => rights.has(name) && (only === undefined || only === name));
  const open = clusters.filter(({ name, namespace }) => rights.get(name)?.maySee(type, namespace) === true);
  if (open.length === 0) throw new AppError('forbidden', `see ${type.plural}: you may not list and watch them`);
  const objects = open.flatMap((cluster) =>
    [...(cluster.source(type)?.values() ?? [])].map((object) => ({ cluster: cluster.name, object })),
  );
  return objects.toSorted((a, b) => (a.object.metadata.name < b.object.metadata.name ? -1 : 1));
}

function scheduleRow(
  { cluster, object }: SeenObject,
  { newest, now }: { newest: ReadonlyMap<string, Operation>; now: number },
): ScheduleRow {
  const { namespace = '', name } = object.metadata;
  const status = objectAt(object, 'status');
  const cron = textAt(object, 'spec', 'schedule') ?? '';
  const isPaused = valueAt(object, 'spec', 'paused') === true;
  const refused = valueAt(status, 'validationErrors');
  const nextAt = isPaused ? undefined : nextBackupAt(cron, status, now);
  const last = newest.get(`${cluster}/${name}`);
  return {
    cluster,
    namespace,
    name,
    schedule: cron,
    phase: textAt(status, 'phase') ?? 'New',
    isPaused,
    ...optional('lastBackupAt', textAt(status, 'lastBackup')),
    ...optional('nextBackupAt', nextAt),
    ...optional('lastBackup', last?.id),
    problems: Array.isArray(refused) ? refused.filter((text) => typeof text === 'string') : [],
    object: withoutManagedFields(object),
  };
}

/** What the controller announced, else what the schedule says in the server's zone. */
function nextBackupAt(schedule: string, status: JsonObject, now: number): string | undefined {
  const announced = textAt(status, 'nextRun');
  if (announced !== undefined && Date.parse(announced) > now) return announced;
  const { cron } = parseCron(schedule, Intl.DateTimeFormat().resolvedOptions().timeZone);
  const next = cron === undefined ? undefined : nextRun(cron, now);
  return next === undefined ? undefined : new Date(next).toISOString();
}

/** By cluster and schedule, of the backups that the caller may list: whoever may see a schedule need not see those. */
function newestBackups({ tree }: Context, maySee: MaySee): Map<string, Operation> {
  const newest = new Map<string, Operation>();
  for (const { adapter, operation, object } of tree.entries()) {
    const schedule = textAt(object, 'metadata', 'labels', SCHEDULE_NAME_LABEL);
    if (!hasVerb(adapter, 'contents') || schedule === undefined || !maySee(operation)) continue;
    const key = `${operation.cluster}/${schedule}`;
    const known = newest.get(key);
    if (known === undefined || operation.createdAt > known.createdAt) newest.set(key, operation);
  }
  return newest;
}

/** What locations hold, as far as the caller may list it. */
function storedIn({ tree }: Context, maySee: MaySee): Operation[] {
  const stored = [...tree.entries()].filter(({ adapter }) => hasVerb(adapter, 'contents'));
  return stored.map(({ operation }) => operation).filter(maySee);
}

function locationRow({ cluster, object }: SeenObject, backups: readonly Operation[]): LocationRow {
  const { namespace = '', name } = object.metadata;
  const status = objectAt(object, 'status');
  const phase = textAt(status, 'phase');
  const held = backups.filter((backup) => backup.cluster === cluster && backup.facts.location === name);
  return {
    cluster,
    namespace,
    name,
    provider: textAt(object, 'spec', 'provider') ?? '',
    bucket: textAt(object, 'spec', 'objectStorage', 'bucket') ?? '',
    ...optional('prefix', textAt(object, 'spec', 'objectStorage', 'prefix')),
    isDefault: valueAt(object, 'spec', 'default') === true,
    isReadOnly: textAt(object, 'spec', 'accessMode') === 'ReadOnly',
    phase: phase === 'Available' || phase === 'Unavailable' ? phase : 'Unknown',
    ...optional('message', textAt(status, 'message')),
    ...optional('lastValidatedAt', textAt(status, 'lastValidationTime')),
    ...optional('lastSyncedAt', textAt(status, 'lastSyncedTime')),
    backups: held.length,
    bytes: held.reduce((sum, { facts }) => sum + (facts.sizeBytes ?? 0), 0),
  };
}

function withoutManagedFields(object: KubeObject): JsonObject {
  return { ...object, metadata: without(object.metadata, 'managedFields') };
}

function optional<Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, string>);
}
