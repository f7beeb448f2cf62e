import { AppError, isObject, objectAt, textAt, valueAt, type Json, type JsonObject } from '../../base/index.ts';
import {
  closingSentence,
  formatOperationId,
  groupProblems,
  mergeProblems,
  OperationTree,
  type Adapter,
  type OperationDetail,
  type ProblemMessage,
} from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { placeText, withParts, type Kind } from '../objects/kinds.ts';
import { errorLine } from '../print/error-text.ts';
import { NONE } from '../print/measures.ts';
import { phaseText } from '../print/object-cells.ts';
import { operationLines } from '../print/operation-text.ts';
import { printDocument } from '../print/structured.ts';
import { exactTime } from '../print/times.ts';
import { findAll, findSeveral, listKinds, type Found } from './find-objects.ts';
import { tellSilence, withoutManagedFields } from './get.ts';
import type { Scope } from './open-cluster.ts';
import { storedJson } from './stored-file.ts';

export interface DescribeFlags {
  output?: 'json' | 'yaml';
  details?: true;
}

export async function describeObjects(
  scope: Scope,
  kinds: readonly Kind[],
  { names, flags }: { names: readonly string[]; flags: DescribeFlags },
): Promise<void> {
  const { found: all, missing } =
    names.length === 0 ? { found: await findAll(scope, kinds) } : await findSeveral(scope, kinds, names);
  const { output } = scope.deps;
  const parts = await partsOf(scope, all);
  for (const [at, found] of all.entries()) {
    if (at > 0) output.line();
    const { adapter } = found.kind;
    if (adapter !== undefined) await describeOperation(scope, { ...found, adapter, parts }, flags);
    else if (flags.output !== undefined) await printDocument(output, withoutManagedFields(found.object), flags.output);
    else printLines(scope, LINES[found.object.kind]?.(scope, found.object) ?? []);
  }
  if (missing !== undefined) throw missing;
  if (all.length === 0) output.note(`No ${kinds[0]?.noun ?? ''}s ${placeText(scope, kinds)}`);
  else if (flags.output === undefined) await tellSilence(scope, all);
}

/** What may be below them. It only completes the picture, so what may not be listed is left out. */
async function partsOf(scope: Scope, all: readonly Found[]): Promise<Found[]> {
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const below = withParts(kinds).filter(({ type }) => !kinds.some((kind) => kind.type === type));
  if (all.length === 0 || below.length === 0) return [];
  // MTC makes its backups in the namespace of the migration, Headway in that of all backups.
  const namespaces = new Set(all.map(({ object }) => object.metadata.namespace ?? '').filter((each) => each !== ''));
  const places =
    scope.isOnly === true ? [scope] : [scope, ...[...namespaces].map((namespace) => only(scope, namespace))];
  const lists = await Promise.all(places.map((place) => listKinds(place, below)));
  return lists.flatMap(({ found }) => found);
}

function only(scope: Scope, namespace: string): Scope {
  return { ...scope, namespace, isOnly: true };
}

function printLines({ deps }: Scope, lines: readonly string[]): void {
  for (const line of lines) deps.output.line(line);
}

type Described = Found & { adapter: Adapter; parts: readonly Found[] };

async function describeOperation(scope: Scope, described: Described, flags: DescribeFlags): Promise<void> {
  const { adapter } = described;
  const now = scope.deps.clock.now();
  const read = detailOf(scope, described, now);
  const problems = mergeProblems(read.problems, await storedProblems(scope, adapter, read));
  const sentence = closingSentence(adapter, { ...read, problems }, read.itemsByKind);
  const detail = { ...read, problems, ...(sentence === undefined ? {} : { sentence }) };
  const { files } = adapter;
  const resources =
    flags.details === true && files !== undefined
      ? ((await storedJson(scope, { kind: files.items, name: read.ref.name })) as JsonObject)
      : undefined;
  if (flags.output !== undefined) {
    const whole = { ...detail, ...(resources === undefined ? {} : { resources }) };
    await printDocument(scope.deps.output, whole, flags.output);
    return;
  }
  printLines(scope, operationLines(detail, { now, columns: scope.deps.output.columns }));
  if (resources !== undefined) printLines(scope, resourceLines(resources));
}

/** With its parts and theirs, as far as they are known. */
function detailOf({ cluster }: Scope, { adapter, object, parts }: Described, now: number): OperationDetail {
  const tree = new OperationTree();
  for (const part of parts)
    if (part.kind.adapter !== undefined) tree.put(part.kind.adapter, part.object, { cluster, now });
  tree.put(adapter, object, { cluster, now });
  const { namespace = '', name } = object.metadata;
  const id = formatOperationId({ cluster, kind: adapter.type.kind, namespace, name });
  const detail = tree.detail(id, now, () => true);
  if (detail === undefined) throw new AppError('bug', `describe ${id}: it is not in its own tree`);
  return detail;
}

/** What the results file tells beyond status. A store that cannot be read must not hide everything else. */
async function storedProblems(
  scope: Scope,
  { files }: Adapter,
  detail: OperationDetail,
): Promise<OperationDetail['problems']> {
  if (files === undefined || detail.errors + detail.warnings === 0 || detail.endedAt === undefined) return [];
  try {
    const name = detail.ref.name;
    return groupProblems(messagesOf((await storedJson(scope, { kind: files.results, name })) as Json));
  } catch (error) {
    scope.deps.signal.throwIfAborted();
    return [unread('the errors and warnings', error)];
  }
}

function unread(what: string, error: unknown): OperationDetail['problems'][number] {
  const text = `${what} could not be read: ${errorLine(error)}`;
  return { level: 'warning', count: 1, text, examples: [text] };
}

/** Velero's file: `{errors: {velero, cluster, namespaces: {ns: []}}, warnings: {…}}`. */
function messagesOf(results: Json): ProblemMessage[] {
  const levels = [
    ['errors', 'error'],
    ['warnings', 'warning'],
  ] as const;
  return levels.flatMap(([field, level]) => {
    const { velero, cluster, namespaces } = objectAt(results, field);
    const inNamespaces = isObject(namespaces) ? Object.values(namespaces) : [];
    return [velero, cluster, ...inNamespaces].flatMap((texts) => textsOf(texts).map((text) => ({ level, text })));
  });
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

function resourceLines(resources: JsonObject): string[] {
  const lines = Object.entries(resources).flatMap(([kind, names]) => [
    `  ${kind}`,
    ...textsOf(names).map((name) => `    ${name}`),
  ]);
  return ['', 'Items', ...lines];
}

/** Of kinds that are no operations. */
const LINES: Readonly<Record<string, (scope: Scope, object: KubeObject) => string[]>> = {
  Schedule: scheduleLines,
  BackupStorageLocation: locationLines,
};

type Row = [string, string];

function toLines(rows: readonly Row[]): string[] {
  return rows.map(([label, value]) => `${label.padEnd(11)}${value}`);
}

function scheduleLines({ deps }: Scope, object: KubeObject): string[] {
  const [spec, status] = [objectAt(object, 'spec'), objectAt(object, 'status')];
  const now = deps.clock.now();
  const template = Object.entries(objectAt(spec, 'template')).map(([key, value]) => `  ${key}: ${plain(value)}`);
  return [
    `schedule/${object.metadata.name}`,
    ...toLines([
      ['State', valueAt(spec, 'paused') === true ? '○ paused' : phaseText(textAt(status, 'phase') ?? 'New')],
      ['When', textAt(spec, 'schedule') ?? NONE],
      ['Last', exactTime(textAt(status, 'lastBackup'), now)],
      ['Next', exactTime(textAt(status, 'nextRun'), now)],
      ['Skipped', exactTime(textAt(status, 'lastSkipped'), now)],
    ]),
    ...textsOf(valueAt(status, 'validationErrors')).map((text) => `✕ ${text}`),
    ...(template.length === 0 ? [] : ['', 'Backup template', ...template]),
  ];
}

function locationLines({ deps }: Scope, object: KubeObject): string[] {
  const [spec, status] = [objectAt(object, 'spec'), objectAt(object, 'status')];
  const now = deps.clock.now();
  const config = Object.entries(objectAt(spec, 'config')).map(([key, value]) => `  ${key}: ${plain(value)}`);
  const message = textAt(status, 'message');
  return [
    `location/${object.metadata.name}`,
    ...toLines([
      ['State', phaseText(textAt(status, 'phase') ?? 'Unknown')],
      ['Provider', textAt(spec, 'provider') ?? NONE],
      ['Bucket', textAt(spec, 'objectStorage', 'bucket') ?? NONE],
      ['Prefix', textAt(spec, 'objectStorage', 'prefix') ?? NONE],
      ['Mode', textAt(spec, 'accessMode') ?? 'ReadWrite'],
      ['Default', valueAt(spec, 'default') === true ? 'yes' : 'no'],
      ['Checked', exactTime(textAt(status, 'lastValidationTime'), now)],
      ['Synced', exactTime(textAt(status, 'lastSyncedTime'), now)],
    ]),
    ...(message === undefined ? [] : [`▲ ${message}`]),
    ...(config.length === 0 ? [] : ['', 'Config', ...config]),
  ];
}

function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
