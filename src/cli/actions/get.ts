import { AppError, formatCount, formatDuration, objectAt, textAt, valueAt, type JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import { adapterFor, readOperation, type Operation } from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { BACKUP, LOCATION, RESTORE, SCHEDULE } from '../objects/types.ts';
import { NONE, formatMeasure } from '../print/measures.ts';
import { columnWidths, tableLines } from '../print/rows.ts';
import { stateOf, stateWords } from '../print/state.ts';
import { isStructured, printObjects } from '../print/structured.ts';
import { ageOf, relativeTime } from '../print/times.ts';
import { watchObjects } from './get-watch.ts';
import { LeaderSigns, silenceLines } from './leader-signs.ts';
import { getSeveral, listAll, nounOf, type Scope } from './open-cluster.ts';

export interface GetFlags {
  output: string;
  selector?: string;
  allNamespaces?: true;
  watch?: true;
  /** False with `--no-headers`. */
  headers: boolean;
}

/** `get`: those named, or all; newest first, because that is what people look for. */
export async function getObjects(
  scope: Scope,
  type: ResourceType,
  { names, flags }: { names: readonly string[]; flags: GetFlags },
): Promise<number> {
  if (names.length > 0 && flags.allNamespaces === true) {
    throw new AppError(
      'usage',
      'names and --all-namespaces cannot be combined: choose the namespace with -n NAMESPACE',
    );
  }
  if (flags.watch === true) return await watchGet(scope, type, { names, flags });
  const { objects, missing } =
    names.length === 0
      ? { objects: (await listAll(scope, type, flags.selector)).toSorted(newestFirst) }
      : await getSeveral(scope, type, names);
  if (isStructured(flags.output)) {
    const isSingle = names.length === 1;
    if (objects.length > 0 || names.length === 0) {
      await printObjects(scope.deps.output, objects.map(withoutManagedFields), { format: flags.output, isSingle });
    }
  } else if (objects.length > 0) {
    const { headings, rows } = tableOf(scope, type, { objects, isWide: flags.output === 'wide' });
    for (const line of tableLines(headings, rows).slice(flags.headers ? 0 : 1)) scope.deps.output.line(line);
    await tellSilence(scope, type, objects);
  } else if (names.length === 0) noteEmpty(scope, type);
  if (missing !== undefined) throw missing;
  return 0;
}

/** Only where something waits for a Headway: what has ended needs none. */
export async function tellSilence(scope: Scope, type: ResourceType, objects: readonly KubeObject[]): Promise<void> {
  const { output, programName, signal } = scope.deps;
  const isOpen = (object: KubeObject): boolean => !isTerminal(operationOf(scope, object).report.state);
  const isWaiting = type === SCHEDULE || ((type === BACKUP || type === RESTORE) && objects.some(isOpen));
  // Each namespace has a leader of its own.
  if (!isWaiting || scope.allNamespaces === true) return;
  const silence = await new LeaderSigns(scope).silenceNow(signal);
  if (silence !== undefined) for (const line of silenceLines(silence, programName)) output.note(line);
}

function noteEmpty({ deps, namespace, allNamespaces }: Scope, type: ResourceType): void {
  const noun = nounOf(type.kind);
  const create = `${deps.programName} ${noun} create ${CREATE_WITH[noun] ?? 'NAME'}`;
  const where = allNamespaces === true ? 'in any namespace' : `in namespace ${namespace}`;
  deps.output.note(`No ${noun}s ${where}. Create one with: ${create}`);
}

/** As kubectl does it: the headings once, then a row whenever something has changed. */
async function watchGet(
  scope: Scope,
  type: ResourceType,
  { names, flags }: { names: readonly string[]; flags: GetFlags },
): Promise<number> {
  const { output } = scope.deps;
  const { output: format } = flags;
  let widths: number[] = [];
  return await watchObjects(scope, type, {
    names,
    ...(flags.selector === undefined ? {} : { selector: flags.selector }),
    print: async (objects) => {
      if (isStructured(format)) {
        for (const object of objects.map(withoutManagedFields)) {
          if (format === 'yaml') output.line('---');
          await printObjects(output, [object], { format, isSingle: true });
        }
        return;
      }
      const isFirst = widths.length === 0;
      const { headings, rows } = tableOf(scope, type, { objects, isWide: format === 'wide' });
      widths = columnWidths([headings, ...rows], widths);
      const lines = tableLines(headings, rows, widths);
      for (const line of lines.slice(isFirst && flags.headers ? 0 : 1)) output.line(line);
    },
  });
}

/** The least that has to be said. */
const CREATE_WITH: Readonly<Record<string, string>> = {
  restore: '--from-backup BACKUP',
  schedule: 'NAME --schedule "0 3 * * *"',
  location: 'NAME --provider aws --bucket BUCKET',
};

/** They are for the API server's own use, and longer than all the rest. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function newestFirst(a: KubeObject, b: KubeObject): number {
  const time = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  return time(b).localeCompare(time(a)) || a.metadata.name.localeCompare(b.metadata.name);
}

interface Table {
  headings: string[];
  rows: string[][];
}

type Cells = Readonly<Record<string, string>>;

function tableOf(
  scope: Scope,
  type: ResourceType,
  { objects, isWide }: { objects: readonly KubeObject[]; isWide: boolean },
): Table {
  const now = scope.deps.clock.now();
  const rows = objects.map((object): { cells: Cells; wide: Cells } => {
    switch (type) {
      case BACKUP:
        return backupCells(operationOf(scope, object), now);
      case RESTORE:
        return restoreCells(operationOf(scope, object), now);
      case SCHEDULE:
        return scheduleCells(object, now);
      case LOCATION:
        return locationCells(object, now);
      default:
        return { cells: { NAME: object.metadata.name, AGE: ageOf(object.metadata.creationTimestamp, now) }, wide: {} };
    }
  });
  const all = rows.map(({ cells, wide }, at) => ({
    ...(scope.allNamespaces === true ? { NAMESPACE: objects[at]?.metadata.namespace ?? NONE } : {}),
    ...cells,
    ...(isWide ? wide : {}),
  }));
  return { headings: Object.keys(all[0] ?? {}), rows: all.map((cells) => Object.values(cells)) };
}

export function operationOf(scope: Scope, object: KubeObject): Operation {
  return readOperation(adapterFor(object.kind), object, { cluster: scope.cluster, now: scope.deps.clock.now() });
}

function progressCells(operation: Operation): Cells {
  const { report } = operation;
  const items = report.measures.find(({ unit }) => unit === 'items');
  return {
    NAME: operation.ref.name,
    STATE: `${stateOf(operation).sign} ${stateWords(operation)}`,
    DONE: report.percent === undefined ? NONE : `${String(report.percent)} %`,
    ITEMS: items === undefined ? NONE : formatMeasure(items).replace(/ items?$/, ''),
  };
}

function tallies({ errors, warnings, seconds, report }: Operation): Cells {
  return {
    WARNINGS: formatCount(warnings),
    TOOK: seconds === undefined ? NONE : formatDuration(seconds),
    STARTED: report.startedAt ?? NONE,
    FAILED: formatCount(report.counts?.failed ?? errors),
  };
}

function backupCells(operation: Operation, now: number): { cells: Cells; wide: Cells } {
  const { facts, createdAt, errors } = operation;
  const { FAILED: _, ...wide } = tallies(operation);
  return {
    cells: {
      ...progressCells(operation),
      ERRORS: formatCount(errors),
      AGE: ageOf(createdAt, now),
      EXPIRES: relativeTime(facts.expiresAt, now),
    },
    wide: { ...wide, LOCATION: facts.location ?? NONE, SCHEDULE: facts.schedule ?? NONE },
  };
}

function restoreCells(operation: Operation, now: number): { cells: Cells; wide: Cells } {
  const { facts, createdAt, errors } = operation;
  const { NAME = '', ...progress } = progressCells(operation);
  return {
    cells: {
      NAME,
      BACKUP: facts.backup ?? (facts.schedule === undefined ? NONE : `newest of ${facts.schedule}`),
      ...progress,
      ERRORS: formatCount(errors),
      AGE: ageOf(createdAt, now),
    },
    wide: tallies(operation),
  };
}

function scheduleCells(object: KubeObject, now: number): { cells: Cells; wide: Cells } {
  const status = objectAt(object, 'status');
  const isPaused = valueAt(object, 'spec', 'paused') === true;
  return {
    cells: {
      NAME: object.metadata.name,
      STATE: isPaused ? '○ paused' : phaseText(textAt(status, 'phase') ?? 'New'),
      SCHEDULE: textAt(object, 'spec', 'schedule') ?? NONE,
      'LAST BACKUP': relativeTime(textAt(status, 'lastBackup'), now),
      NEXT: relativeTime(textAt(status, 'nextRun'), now),
      AGE: ageOf(object.metadata.creationTimestamp, now),
    },
    wide: {
      TTL: textAt(object, 'spec', 'template', 'ttl') ?? NONE,
      ...locationOf(objectAt(object, 'spec', 'template')),
    },
  };
}

function locationOf(template: JsonObject): Cells {
  return { LOCATION: textAt(template, 'storageLocation') ?? NONE };
}

function locationCells(object: KubeObject, now: number): { cells: Cells; wide: Cells } {
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const prefix = textAt(spec, 'objectStorage', 'prefix');
  return {
    cells: {
      NAME: object.metadata.name,
      STATE: phaseText(textAt(status, 'phase') ?? 'Unknown'),
      PROVIDER: textAt(spec, 'provider') ?? NONE,
      BUCKET: `${textAt(spec, 'objectStorage', 'bucket') ?? NONE}${prefix === undefined ? '' : `/${prefix}`}`,
      MODE: textAt(spec, 'accessMode') === 'ReadOnly' ? 'read-only' : 'read-write',
      DEFAULT: valueAt(spec, 'default') === true ? 'yes' : 'no',
      CHECKED: relativeTime(textAt(status, 'lastValidationTime'), now),
    },
    wide: { SYNCED: relativeTime(textAt(status, 'lastSyncedTime'), now), MESSAGE: textAt(status, 'message') ?? NONE },
  };
}

const PHASE_WORDS: Readonly<Record<string, string>> = {
  New: '○ new',
  Enabled: '✓ enabled',
  FailedValidation: '✕ refused',
  Available: '✓ available',
  Unavailable: '▲ unavailable',
  Unknown: '○ not checked yet',
};

/** How a schedule or a location is, with its sign. */
export function phaseText(phase: string): string {
  return PHASE_WORDS[phase] ?? phase;
}
