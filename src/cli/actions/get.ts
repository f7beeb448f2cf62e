import { AppError } from '../../base/index.ts';
import { readOperation, type Operation } from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { namespaceOf, placeText, type Kind } from '../objects/kinds.ts';
import { NONE } from '../print/measures.ts';
import { objectCells, operationCells } from '../print/object-cells.ts';
import { columnWidths, tableLines } from '../print/rows.ts';
import { isStructured, printObjects } from '../print/structured.ts';
import { findAll, findSeveral, type Found } from './find-objects.ts';
import { watchObjects } from './get-watch.ts';
import { LeaderSigns, silenceLines } from './leader-signs.ts';
import type { Scope } from './open-cluster.ts';

export interface GetFlags {
  output: string;
  selector?: string;
  allNamespaces?: true;
  watch?: true;
  /** False with `--no-headers`. */
  headers: boolean;
}

interface Wish {
  names: readonly string[];
  flags: GetFlags;
}

/** `get`: those named, or all; newest first, because that is what people look for. */
export async function getObjects(scope: Scope, kinds: readonly Kind[], { names, flags }: Wish): Promise<number> {
  if (names.length > 0 && flags.allNamespaces === true) {
    throw new AppError(
      'usage',
      'names and --all-namespaces cannot be combined: choose the namespace with -n NAMESPACE',
    );
  }
  if (flags.watch === true) return await watchGet(scope, kinds, { names, flags });
  const { found, missing } = await chosen(scope, kinds, { names, flags });
  const objects = found.map(({ object }) => object);
  if (isStructured(flags.output)) {
    const isSingle = names.length === 1;
    if (objects.length > 0 || names.length === 0) {
      await printObjects(scope.deps.output, objects.map(withoutManagedFields), { format: flags.output, isSingle });
    }
  } else if (found.length > 0) {
    const { headings, rows } = tableOf(scope, kinds, { found, isWide: flags.output === 'wide' });
    for (const line of tableLines(headings, rows).slice(flags.headers ? 0 : 1)) scope.deps.output.line(line);
    await tellSilence(scope, found);
  } else if (names.length === 0) noteEmpty(scope, kinds);
  if (missing !== undefined) throw missing;
  return 0;
}

async function chosen(
  scope: Scope,
  kinds: readonly Kind[],
  { names, flags: { selector } }: Wish,
): Promise<{ found: Found[]; missing?: AppError }> {
  if (names.length > 0) return await findSeveral(scope, kinds, names);
  const found = await findAll(scope, kinds, selector === undefined ? {} : { labelSelector: selector });
  return { found: found.toSorted(newestFirst) };
}

/** Only where something waits for a Headway: what has ended needs none. */
export async function tellSilence(scope: Scope, found: readonly Found[]): Promise<void> {
  const { output, programName, signal } = scope.deps;
  const isWaiting = (each: Found): boolean => {
    if (!each.kind.needsHeadway) return false;
    const operation = operationOf(scope, each);
    return operation === undefined || !isTerminal(operation.report.state);
  };
  // Each namespace has a leader of its own.
  if (scope.allNamespaces === true || !found.some(isWaiting)) return;
  const silence = await new LeaderSigns(scope).silenceNow(signal);
  if (silence !== undefined) for (const line of silenceLines(silence, programName)) output.note(line);
}

function noteEmpty(scope: Scope, kinds: readonly Kind[]): void {
  const { output, programName } = scope.deps;
  const noun = kinds[0]?.noun ?? '';
  const how = CREATE_WITH[noun];
  const hint = how === undefined ? '' : ` Create one with: ${programName} ${noun} create ${how}`;
  output.note(`No ${noun}s ${placeText(scope, kinds)}.${hint}`);
}

/** As kubectl does it: the headings once, then a row whenever something has changed. */
async function watchGet(scope: Scope, kinds: readonly Kind[], { names, flags }: Wish): Promise<number> {
  const { output } = scope.deps;
  const { output: format } = flags;
  let widths: number[] = [];
  return await watchObjects(scope, kinds, {
    names,
    ...(flags.selector === undefined ? {} : { selector: flags.selector }),
    print: async (found) => {
      if (isStructured(format)) {
        for (const object of found.map((each) => withoutManagedFields(each.object))) {
          if (format === 'yaml') output.line('---');
          await printObjects(output, [object], { format, isSingle: true });
        }
        return;
      }
      const isFirst = widths.length === 0;
      const { headings, rows } = tableOf(scope, kinds, { found, isWide: format === 'wide' });
      widths = columnWidths([headings, ...rows], widths);
      const lines = tableLines(headings, rows, widths);
      for (const line of lines.slice(isFirst && flags.headers ? 0 : 1)) output.line(line);
    },
  });
}

/** The least that has to be said, of what can be created here. */
const CREATE_WITH: Readonly<Record<string, string>> = {
  backup: 'NAME',
  restore: '--from-backup BACKUP',
  schedule: 'NAME --schedule "0 3 * * *"',
  location: 'NAME --provider aws --bucket BUCKET',
};

/** They are for the API server's own use, and longer than all the rest. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function newestFirst({ object: a }: Found, { object: b }: Found): number {
  const time = ({ metadata }: KubeObject): string => metadata.creationTimestamp ?? '';
  return time(b).localeCompare(time(a)) || a.metadata.name.localeCompare(b.metadata.name);
}

interface Table {
  headings: string[];
  rows: string[][];
}

function tableOf(
  scope: Scope,
  kinds: readonly Kind[],
  { found, isWide }: { found: readonly Found[]; isWide: boolean },
): Table {
  const now = scope.deps.clock.now();
  // Where it is must be told as soon as it could be elsewhere.
  const places = new Set(kinds.map((kind) => namespaceOf(scope, kind)));
  const isAnywhere = places.size > 1 || places.has(undefined);
  const all = found.map((each) => {
    const operation = operationOf(scope, each);
    const { cells, wide } = operation === undefined ? objectCells(each.object, now) : operationCells(operation, now);
    return {
      ...(isAnywhere ? { NAMESPACE: each.object.metadata.namespace ?? NONE } : {}),
      ...cells,
      ...(isWide ? wide : {}),
    };
  });
  return { headings: Object.keys(all[0] ?? {}), rows: all.map((cells) => Object.values(cells)) };
}

/** Undefined for a kind that does nothing over time. */
export function operationOf(scope: Scope, { kind, object }: Found): Operation | undefined {
  const { adapter } = kind;
  const seen = { cluster: scope.cluster, now: scope.deps.clock.now() };
  return adapter === undefined ? undefined : readOperation(adapter, object, seen);
}
