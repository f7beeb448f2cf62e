import { AppError, isAppError, objectAt, textAt, textsAt, type JsonObject } from '../../base/index.ts';
import { VERIFY_ANNOTATION } from '../../core/operations/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import { adapterFor } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { BackupFlags } from '../flags/backup-flags.ts';
import type { ServerFlags } from '../flags/connection.ts';
import type { RestoreFlags } from '../flags/restore-flags.ts';
import { backupSpec } from '../objects/backup-object.ts';
import { nounOf } from '../objects/kinds.ts';
import { newObject, stampedName } from '../objects/new-object.ts';
import { restoreSpec } from '../objects/restore-object.ts';
import { BACKUP, RESTORE, SCHEDULE } from '../objects/types.ts';
import type { CliDeps } from '../ports.ts';
import { printDocument } from '../print/structured.ts';
import { getNamed, listAll, withKube, type Scope } from './open-cluster.ts';
import { namesAreGood } from './check-names.ts';
import { showPlan } from './plan.ts';
import { watchOperations } from './watch.ts';

export interface CreateFlags extends ServerFlags {
  /** Print the object instead of creating it, as velero does. */
  output?: 'json' | 'yaml';
  dryRun?: true;
  wait?: true;
  timeout?: number;
}

type BackupCreateFlags = BackupFlags & CreateFlags & { fromSchedule?: string };
type RestoreCreateFlags = RestoreFlags & CreateFlags;

export async function createBackup(deps: CliDeps, name: string | undefined, flags: BackupCreateFlags): Promise<number> {
  const { fromSchedule } = flags;
  if (fromSchedule !== undefined) {
    return await withKube(deps, flags, async (scope) => {
      const schedule = await getNamed(scope, SCHEDULE, fromSchedule);
      return await submit(deps, backupOfSchedule(schedule, { name, flags, now: deps.clock.now() }), flags);
    });
  }
  if (name === undefined)
    throw new AppError('usage', 'give the backup a name, or take one from a schedule with --from-schedule NAME');
  return await submit(deps, newObject({ type: BACKUP, ...metadataOf(name, flags), spec: backupSpec(flags) }), flags);
}

/** What the schedule would create now; flags win over its template. */
function backupOfSchedule(
  schedule: KubeObject,
  { name, flags, now }: { name: string | undefined; flags: BackupCreateFlags; now: number },
): KubeObject {
  const { metadata: meta, ...template } = objectAt(schedule, 'spec', 'template');
  const scheduleName = schedule.metadata.name;
  return newObject({
    type: BACKUP,
    namespace: flags.namespace,
    name: name ?? stampedName(scheduleName, now),
    labels: {
      ...textsAt(schedule, 'metadata', 'labels'),
      ...textsAt(meta, 'labels'),
      ...flags.labels,
      'velero.io/schedule-name': scheduleName,
    },
    annotations: { ...withoutApplied(textsAt(schedule, 'metadata', 'annotations')), ...flags.annotations },
    spec: { ...template, ...backupSpec(flags) },
  });
}

function withoutApplied(annotations: Record<string, string>): Record<string, string> {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...rest } = annotations;
  return rest;
}

export async function createRestore(
  deps: CliDeps,
  name: string | undefined,
  flags: RestoreCreateFlags,
): Promise<number> {
  const { fromBackup, fromSchedule } = flags;
  if ((fromBackup === undefined) === (fromSchedule === undefined)) {
    throw new AppError('usage', 'say what to restore: either --from-backup NAME or --from-schedule NAME', {
      details: { hint: `List what there is with: ${deps.programName} backup get` },
    });
  }
  const source = fromBackup ?? fromSchedule ?? '';
  const spec = flags.output === undefined ? await checkedSpec(deps, flags) : restoreSpec(flags);
  const fullName = name ?? stampedName(source, deps.clock.now());
  return await submit(deps, newObject({ type: RESTORE, ...metadataOf(fullName, flags), spec }), flags);
}

/** A restore of nothing would fail a moment later, in a place where nobody looks. */
async function checkedSpec(deps: CliDeps, flags: RestoreCreateFlags): Promise<JsonObject> {
  return await withKube(deps, flags, async (scope) => {
    if (flags.fromBackup !== undefined) await getNamed(scope, BACKUP, flags.fromBackup);
    else if (flags.fromSchedule !== undefined && flags.allowPartiallyFailed === true) {
      const { fromSchedule, ...rest } = flags;
      return restoreSpec({ ...rest, fromBackup: await newestOf(scope, fromSchedule) });
    }
    return restoreSpec(flags);
  });
}

async function newestOf(scope: Scope, schedule: string): Promise<string> {
  const backups = await listAll(scope, BACKUP, `velero.io/schedule-name=${schedule}`);
  const usable = backups.filter((backup) =>
    ['Completed', 'PartiallyFailed'].includes(textAt(backup, 'status', 'phase') ?? ''),
  );
  const startOf = (backup: KubeObject): string => textAt(backup, 'status', 'startTimestamp') ?? '';
  const [newest] = usable.toSorted((a, b) => startOf(b).localeCompare(startOf(a)));
  if (newest !== undefined) return newest.metadata.name;
  throw new AppError('notFound', `schedule "${schedule}" has no backup that could be restored`, {
    details: {
      hint: `See its backups with: ${scope.deps.programName} backup get -l velero.io/schedule-name=${schedule}`,
    },
  });
}

function metadataOf(
  name: string,
  { namespace, labels, annotations, verifyVolumes }: BackupFlags & { namespace: string },
): { name: string; namespace: string; labels?: Record<string, string>; annotations?: Record<string, string> } {
  return {
    name,
    namespace,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined && verifyVolumes !== true
      ? {}
      : { annotations: { ...annotations, ...(verifyVolumes === true ? { [VERIFY_ANNOTATION]: 'true' } : {}) } }),
  };
}

/** Prints it, plans it, or creates it and says how to follow it. */
export async function submit(deps: CliDeps, object: KubeObject, flags: CreateFlags): Promise<number> {
  if (flags.dryRun === true) return await showPlan(deps, object, flags);
  if (flags.output !== undefined) {
    await printDocument(deps.output, object, flags.output);
    return 0;
  }
  if (!(await namesAreGood(deps, object, flags))) return 1;
  return await withKube(deps, flags, async (scope) => {
    await createNamed(scope, adapterFor(object.kind).type, object);
    const { name } = object.metadata;
    const noun = nounOf(object.kind);
    if (flags.wait === true) {
      const timeout = flags.timeout === undefined ? {} : { timeoutMs: flags.timeout };
      return await watchOperations([scope], { target: { kind: noun, name }, ...timeout });
    }
    deps.output.note(`Watch it with: ${deps.programName} watch ${noun}/${name}`);
    return 0;
  });
}

export async function createNamed(scope: Scope, type: ResourceType, object: KubeObject): Promise<void> {
  const { deps, kube, namespace } = scope;
  const { name } = object.metadata;
  const noun = nounOf(type.kind);
  try {
    await kube.create({ type, namespace }, object, { signal: deps.signal });
  } catch (error) {
    if (isAppError(error, 'alreadyExists')) {
      throw new AppError('alreadyExists', `${noun} "${name}" already exists in namespace ${namespace}`, {
        cause: error,
        details: { hint: `See it with: ${deps.programName} ${noun} describe ${name}` },
      });
    }
    if (isAppError(error, 'notFound')) {
      throw new AppError(
        'notFound',
        `cannot create ${noun} "${name}": this cluster has no namespace ${namespace}, or Headway is not installed`,
        {
          cause: error,
          details: { hint: `Install it with: ${deps.programName} install` },
        },
      );
    }
    throw error;
  }
  deps.output.line(`${noun}/${name} created`);
}
