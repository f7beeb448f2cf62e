import { isObject, objectAt, textAt, valueAt, type Json, type JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import {
  adapterFor,
  closingSentence,
  groupProblems,
  mergeProblems,
  readDetail,
  type ProblemMessage,
} from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { BACKUP, LOCATION, RESTORE } from '../objects/types.ts';
import { errorLine } from '../print/error-text.ts';
import { NONE } from '../print/measures.ts';
import { operationLines, type Described } from '../print/operation-text.ts';
import { printDocument } from '../print/structured.ts';
import { exactTime } from '../print/times.ts';
import { phaseText, tellSilence, withoutManagedFields } from './get.ts';
import { getSeveral, listAll, nounOf, type Scope } from './open-cluster.ts';
import { storedJson } from './stored-file.ts';

export interface DescribeFlags {
  output?: 'json' | 'yaml';
  details?: true;
}

export async function describeObjects(
  scope: Scope,
  type: ResourceType,
  { names, flags }: { names: readonly string[]; flags: DescribeFlags },
): Promise<void> {
  const { objects, missing } =
    names.length === 0 ? { objects: await listAll(scope, type) } : await getSeveral(scope, type, names);
  const { output } = scope.deps;
  for (const [at, object] of objects.entries()) {
    if (at > 0) output.line();
    if (type === BACKUP || type === RESTORE) await describeOperation(scope, object, flags);
    else if (flags.output !== undefined) await printDocument(output, withoutManagedFields(object), flags.output);
    else printLines(scope, type === LOCATION ? locationLines(scope, object) : scheduleLines(scope, object));
  }
  if (missing !== undefined) throw missing;
  if (objects.length === 0) output.note(`No ${nounOf(type.kind)}s in namespace ${scope.namespace}`);
  else if (flags.output === undefined) await tellSilence(scope, type, objects);
}

function printLines({ deps }: Scope, lines: readonly string[]): void {
  for (const line of lines) deps.output.line(line);
}

async function describeOperation(scope: Scope, object: KubeObject, flags: DescribeFlags): Promise<void> {
  const now = scope.deps.clock.now();
  const adapter = adapterFor(object.kind);
  const detail = readDetail(adapter, object, { cluster: scope.cluster, now });
  const problems = mergeProblems(detail.problems, await storedProblems(scope, detail));
  const sentence = closingSentence(adapter, { ...detail, problems }, detail.itemsByKind);
  const described = { ...detail, problems, ...(sentence === undefined ? {} : { sentence }) };
  const resources = flags.details === true ? await storedResources(scope, described) : undefined;
  if (flags.output !== undefined) {
    await printDocument(
      scope.deps.output,
      { ...described, ...(resources === undefined ? {} : { resources }) },
      flags.output,
    );
    return;
  }
  printLines(scope, operationLines(described, { now, columns: scope.deps.output.columns }));
  if (resources !== undefined) printLines(scope, resourceLines(resources));
}

/** What the results file tells beyond status. A store that cannot be read must not hide everything else. */
async function storedProblems(scope: Scope, detail: Described): Promise<Described['problems']> {
  if (detail.errors + detail.warnings === 0 || detail.endedAt === undefined) return [];
  const kind = detail.ref.kind === 'Backup' ? 'BackupResults' : 'RestoreResults';
  try {
    return groupProblems(messagesOf((await storedJson(scope, { kind, name: detail.ref.name })) as Json));
  } catch (error) {
    scope.deps.signal.throwIfAborted();
    return [unread('the errors and warnings', error)];
  }
}

function unread(what: string, error: unknown): Described['problems'][number] {
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

async function storedResources(scope: Scope, described: Described): Promise<JsonObject> {
  const kind = described.ref.kind === 'Backup' ? 'BackupResourceList' : 'RestoreResourceList';
  return (await storedJson(scope, { kind, name: described.ref.name })) as JsonObject;
}

function resourceLines(resources: JsonObject): string[] {
  const lines = Object.entries(resources).flatMap(([kind, names]) => [
    `  ${kind}`,
    ...textsOf(names).map((name) => `    ${name}`),
  ]);
  return ['', 'Items', ...lines];
}

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
