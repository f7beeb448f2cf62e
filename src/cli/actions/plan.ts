import { formatBytes, formatCount } from '../../base/index.ts';
import type {
  BackupPlanAnswer,
  LeftOutGroup,
  PlanAnswer,
  PlannedAction,
  PlannedItem,
  PlannedVolume,
  RestorePlanAnswer,
  UnmatchedName,
} from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { ServerFlags } from '../flags/connection.ts';
import type { CliDeps } from '../ports.ts';
import { NONE } from '../print/measures.ts';
import { tableLines } from '../print/rows.ts';
import { printDocument } from '../print/structured.ts';
import { askServer, needServer } from './find-server.ts';

interface PlanFlags extends ServerFlags {
  output?: 'json' | 'yaml';
}

const MAX_EXAMPLES = 5;

/** `--dry-run`: what would happen, with the caller's own rights. Nothing is created. */
export async function showPlan(deps: CliDeps, object: KubeObject, flags: PlanFlags): Promise<number> {
  const served = await needServer(deps, flags, '--dry-run');
  const query = { cluster: served.cluster };
  const plan = (await askServer(served, { method: 'POST', path: '/api/plan', query, body: object })) as PlanAnswer;
  if (flags.output !== undefined) await printDocument(deps.output, plan, flags.output);
  else
    for (const line of plan.kind === 'Backup' ? backupPlanLines(plan) : restorePlanLines(plan)) deps.output.line(line);
  const cannot =
    plan.validationErrors.length > 0 || (plan.kind === 'Restore' && plan.counts.fail > 0) || isNothing(plan);
  return cannot ? 1 : 0;
}

/** Names that match nothing, and nothing else to do: most likely not what was meant. */
function isNothing(plan: PlanAnswer): boolean {
  const count = plan.kind === 'Backup' ? plan.total : Object.values(plan.counts).reduce((sum, each) => sum + each, 0);
  return plan.unmatched.length > 0 && count === 0;
}

export function backupPlanLines(plan: BackupPlanAnswer): string[] {
  if (plan.validationErrors.length > 0) return refusalLines(plan.validationErrors);
  const about = plan.resources.some(({ isEstimate }) => isEstimate) ? '~' : '';
  const rows = plan.resources.map(({ resource, count, isEstimate }) => [
    resource,
    `${isEstimate ? '~' : ''}${formatCount(count)}`,
  ]);
  return [
    ...unmatchedLines(plan.unmatched),
    `Would back up ${about}${plural(plan.total, 'item')} of ${plural(plan.resources.length, 'kind')} in ${plural(plan.namespaces.length, 'namespace')}`,
    ...(rows.length === 0 ? [] : ['', ...tableLines(['RESOURCE', 'ITEMS'], rows)]),
    ...leftOutLines(plan.leftOut),
    ...volumeLines(plan.volumes ?? []),
    ...warningLines(plan.warnings),
    ...NOTHING_DONE,
  ];
}

export function restorePlanLines(plan: RestorePlanAnswer): string[] {
  if (plan.validationErrors.length > 0) return refusalLines(plan.validationErrors);
  const { create, update, exists, fail } = plan.counts;
  return [
    ...unmatchedLines(plan.unmatched),
    `Would restore from backup "${plan.backup}":`,
    `  ${formatCount(create)} to create, ${formatCount(update)} to update, ${formatCount(exists)} already exist, ` +
      `${formatCount(fail)} cannot be restored`,
    ...plannedTable(plan.items),
    ...(plan.isCut ? [`… the table is of the first ${formatCount(plan.items.length)} items`] : []),
    ...failureLines(plan.items),
    ...leftOutLines(plan.leftOut),
    ...volumeLines(plan.volumes ?? []),
    ...warningLines(plan.warnings),
    ...NOTHING_DONE,
  ];
}

/** How large a volume is nobody knows before a backup has read it. */
function volumeLines(volumes: readonly PlannedVolume[]): string[] {
  if (volumes.length === 0) return [];
  const hasSizes = volumes.some(({ bytes }) => bytes !== undefined);
  const rows = volumes.map(({ claim, plugin = NONE, bytes, reason = '' }) => [
    ...[claim, plugin, ...(hasSizes ? [bytes === undefined ? NONE : formatBytes(bytes)] : []), reason],
  ]);
  return ['', ...tableLines(['CLAIM', 'DATA BY', ...(hasSizes ? ['SIZE'] : []), 'WHY NOT'], rows)];
}

const NOTHING_DONE = ['', 'Nothing was created. Run the command again without --dry-run to do it.'];

/** By namespace and kind, in the order of the restore. */
function plannedTable(items: readonly PlannedItem[]): string[] {
  const groups = Map.groupBy(items, ({ namespace, resource }) => `${namespace ?? '–'}\n${resource}`);
  const rows = [...groups].map(([key, members]) => {
    const count = (action: PlannedAction): string =>
      formatCount(members.filter((member) => member.action === action).length);
    return [...key.split('\n'), count('create'), count('update'), count('exists'), count('fail')];
  });
  if (rows.length === 0) return [];
  return ['', ...tableLines(['NAMESPACE', 'RESOURCE', 'CREATE', 'UPDATE', 'EXISTS', 'FAIL'], rows)];
}

function failureLines(items: readonly PlannedItem[]): string[] {
  const failing = items.filter(({ action }) => action === 'fail');
  const groups = Map.groupBy(failing, ({ reason }) => reason ?? 'no reason given');
  return [...groups].flatMap(([reason, members]) => [
    '',
    `✕ ${formatCount(members.length)} cannot be restored: ${reason}`,
    ...examples(members.map(({ namespace, resource, name }) => [namespace, resource, name].filter(Boolean).join('/'))),
  ]);
}

function leftOutLines(groups: readonly LeftOutGroup[]): string[] {
  return groups.flatMap((group) => [
    '',
    `○ ${formatCount(group.count)} left out: ${group.reason}`,
    ...examples(group.examples, group.count),
  ]);
}

function examples(names: readonly string[], total = names.length): string[] {
  const shown = names.slice(0, MAX_EXAMPLES);
  const more = total - shown.length;
  return [
    ...shown.map((name) => `    ${name}`),
    ...(more > 0 && shown.length > 0 ? [`    … and ${formatCount(more)} more`] : []),
  ];
}

function warningLines(warnings: readonly string[]): string[] {
  return warnings.length === 0 ? [] : ['', ...warnings.map((warning) => `▲ ${warning}`)];
}

/** Names that match nothing come first: what follows is not what was meant. */
export function unmatchedLines(unmatched: readonly UnmatchedName[]): string[] {
  return unmatched.map(({ message }) => `▲ ${message}`);
}

export function refusalLines(errors: readonly string[]): string[] {
  return ['✕ This would be refused:', ...errors.map((error) => `  ${error}`)];
}

function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
