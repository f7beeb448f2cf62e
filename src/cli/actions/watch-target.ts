import { AppError, formatDuration } from '../../base/index.ts';
import { adapterFor, hasVerb, operationTitle, type Operation } from '../../core/operations/index.ts';
import { operationKinds, placeText, type OperationKind } from '../objects/kinds.ts';
import type { CliDeps } from '../ports.ts';
import { stateOf } from '../print/state.ts';
import type { Scope } from './open-cluster.ts';
import type { Seen } from './watch-views.ts';

/** The one operation that is watched until it ends. */
export interface WatchTarget {
  /** A kind, or the noun of several. */
  kind: string;
  name: string;
}

/** Refuses a word that names no kind. */
export function kindsOfTarget({ kind }: WatchTarget): readonly OperationKind[] {
  const kinds = operationKinds(kind);
  // Its error names those that there are.
  if (kinds.length === 0) adapterFor(kind);
  return kinds;
}

interface Wanted {
  target: WatchTarget;
  kinds: readonly OperationKind[];
  /** It was there a moment ago. */
  wasSeen: boolean;
}

/** The target and its parts, itself first. */
export function findTarget(scope: Scope, seen: readonly Seen[], { target, kinds, wasSeen }: Wanted): Seen[] {
  const isKind = ({ ref }: Operation): boolean => kinds.some(({ type }) => type.kind === ref.kind);
  const ofKind = seen.filter(({ operation }) => isKind(operation));
  const named = ofKind.filter(({ operation }) => operation.ref.name === target.name);
  // A volume is called by its claim, and that is the name which people read.
  const found = named.length > 0 ? named : ofKind.filter(({ operation }) => operation.facts.volume === target.name);
  const [first, ...others] = found;
  if (first === undefined) throw missing(scope, { target, kinds, wasSeen });
  if (others.length > 0) throw several(target, found);
  return [first, ...below(seen, first.operation.id)];
}

function below(seen: readonly Seen[], root: string): Seen[] {
  const partsOf = Map.groupBy(seen, ({ operation }) => operation.parent);
  const visit = (id: string): Seen[] => (partsOf.get(id) ?? []).flatMap((part) => [part, ...visit(part.operation.id)]);
  return visit(root);
}

function several({ kind, name }: WatchTarget, found: readonly Seen[]): AppError {
  const each = found.map(({ operation: { ref, cluster } }) => {
    const title = `${ref.kind.toLowerCase()}/${ref.name}`;
    return `${title} in namespace ${ref.namespace ?? ''} of ${cluster}`;
  });
  return new AppError('usage', `"${kind}/${name}" names several: ${each.join(', ')}`, {
    details: { hint: 'Choose one by its kind, as KIND/NAME, its namespace, with -n, or its cluster, with --context' },
  });
}

function missing(scope: Scope, { target, kinds, wasSeen }: Wanted): AppError {
  const noun = kinds[0]?.noun ?? target.kind;
  const message = wasSeen
    ? `${noun} "${target.name}" was deleted while it was watched`
    : `there is no ${noun} "${target.name}" ${placeText(scope, kinds)}`;
  const hint = `List what there is with: ${scope.deps.programName} ${noun} get`;
  return new AppError('notFound', message, { details: { hint } });
}

/** What became of it, why, and what to do next. */
export function closingLines(operation: Operation, programName: string): string[] {
  const { noun, ref, report, facts, sentence } = operation;
  const { sign, word } = stateOf(operation);
  const name = `${sign} ${operationTitle(operation)}  ${word}`;
  const lines = [sentence === undefined ? name : `${name}  ${sentence}`];
  if (report.state === 'completed' && facts.isNothingSelected !== true) return lines;
  const adapter = adapterFor(ref.kind);
  const where = adapter.scope === 'all' ? ` -n ${ref.namespace ?? ''}` : '';
  const command = (verb: string): string => `${programName} ${noun} ${verb} ${ref.name}${where}`;
  // A log that is not stored is gone now.
  const ways = ['describe', ...(adapter.files === undefined ? [] : ['logs'])];
  lines.push(`See why with: ${ways.map(command).join(', ')}`);
  const wasRefused = operation.phase === 'FailedValidation';
  if (hasVerb(adapter, 'retry') && report.state !== 'completed' && !wasRefused) {
    const what = report.state === 'canceled' ? 'Restore the rest' : 'Retry what failed';
    lines.push(`${what} with: ${command('retry')}`);
  }
  return lines;
}

export function tellItGoesOn({ output, programName }: CliDeps, target: WatchTarget): void {
  const name = titleOf(target);
  output.note(`Stopped watching; ${name} keeps running. Watch it again with: ${programName} watch ${name}`);
  output.note(`Cancel it with: ${programName} ${name.replace('/', ' cancel ')}`);
}

export function tooLong({ programName }: CliDeps, timeoutMs: number, target: WatchTarget | undefined): AppError {
  const time = formatDuration(timeoutMs / 1000);
  if (target === undefined) {
    const hint = `Operations keep running. Watch them again with: ${programName} watch`;
    return new AppError('timeout', `stopped watching after ${time}, as --timeout says`, { details: { hint } });
  }
  const name = titleOf(target);
  return new AppError('timeout', `${name} has not finished after ${time}`, {
    details: { hint: `It keeps running. Watch it again with: ${programName} watch ${name}` },
  });
}

function titleOf(target: WatchTarget): string {
  return `${kindsOfTarget(target)[0]?.noun ?? target.kind}/${target.name}`;
}
