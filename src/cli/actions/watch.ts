import { AppError, ERROR_CODES, formatCount, formatDuration, toAppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { ADAPTERS, adapterFor, formatOperationId, readOperation, type Operation } from '../../core/operations/index.ts';
import { nameOf } from '../print/operation-tree.ts';
import { stateOf } from '../print/state.ts';
import { LeaderSigns } from './leader-signs.ts';
import { FollowedKind } from './follow.ts';
import { nounOf, type Scope } from './open-cluster.ts';
import { jsonView, plainView, treeView, type Moment, type Seen, type WatchView } from './watch-views.ts';

const TICK_MS = 200;

export interface WatchTarget {
  kind: string;
  name: string;
}

export interface WatchOptions {
  /** One operation and its parts, until it ends; all of them for ever if absent. */
  target?: WatchTarget;
  output?: string;
  timeoutMs?: number;
}

/** Shows operations live and returns the exit code of the one that was asked for. */
export async function watchOperations(scope: Scope, options: WatchOptions): Promise<number> {
  const { deps } = scope;
  const startedAt = deps.clock.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const kinds = ADAPTERS.map(({ type }) => new FollowedKind(scope, type));
  let failure: AppError | undefined;
  const signs = new LeaderSigns(scope);
  const following = Promise.all([...kinds.map((kind) => kind.run(signal)), signs.run(signal)]).catch(
    (error: unknown) => {
      failure = toAppError(error);
    },
  );
  try {
    const view = viewOf(scope, options);
    return await showUntilEnd(scope, options, { kinds, view, signs, failed: () => failure });
  } catch (error) {
    if (options.target === undefined) tellSummary(scope, kinds, startedAt);
    if (!deps.signal.aborted) throw error;
    tellItGoesOn(scope, options.target);
    return ERROR_CODES.canceled.exitCode;
  } finally {
    stop.abort();
    await following;
  }
}

interface Watching {
  kinds: readonly FollowedKind[];
  view: WatchView;
  signs: LeaderSigns;
  failed: () => AppError | undefined;
}

async function showUntilEnd(
  scope: Scope,
  { target, timeoutMs = Infinity }: WatchOptions,
  { kinds, view, signs, failed }: Watching,
): Promise<number> {
  const { clock, signal } = scope.deps;
  const until = clock.now() + timeoutMs;
  let wasSeen = false;
  for (;;) {
    const failure = failed();
    if (failure !== undefined) throw failure;
    if (kinds.every(({ isKnown }) => isKnown)) {
      const silence = signs.silence();
      const moment = { ...momentOf(scope, kinds, target), ...(silence === undefined ? {} : { silence }) };
      const wanted = target === undefined ? undefined : moment.seen[0]?.operation;
      if (target !== undefined && wanted === undefined) throw missing(scope, target, wasSeen);
      wasSeen = true;
      view.show(moment);
      if (wanted !== undefined && isTerminal(wanted.report.state)) {
        view.end(closingLines(wanted, scope.deps.programName));
        return wanted.report.state === 'completed' && wanted.facts.isNothingSelected !== true ? 0 : 1;
      }
    }
    if (clock.now() >= until) throw tooLong(scope, timeoutMs, target);
    await clock.sleep(TICK_MS, signal);
  }
}

function viewOf({ deps: { output, clock, programName } }: Scope, { output: format, target }: WatchOptions): WatchView {
  if (format === 'json') return jsonView(output, programName);
  if (output.isTerminal) return treeView(output, { now: () => clock.now(), programName });
  return plainView(output, { isOne: target !== undefined, programName });
}

/** What is shown now; the target itself first. */
function momentOf(scope: Scope, kinds: readonly FollowedKind[], target: WatchTarget | undefined): Moment {
  const now = scope.deps.clock.now();
  const seen = ADAPTERS.flatMap((adapter, at) =>
    [...(kinds[at]?.objects ?? [])].map((object) => ({
      operation: readOperation(adapter, object, { cluster: scope.cluster, now }),
      version: object.metadata.resourceVersion ?? '',
    })),
  );
  const trouble = kinds.find((kind) => kind.trouble !== undefined)?.trouble;
  const told = trouble === undefined ? seen : seen.map(withoutEstimates);
  return { now, trouble, seen: target === undefined ? told : subtree(told, idOf(scope, target)) };
}

/** How fast it is and how long yet is not known of what cannot be heard. */
function withoutEstimates({ operation, version }: Seen): Seen {
  const { ratePerSecond: _, etaSeconds: __, ...report } = operation.report;
  return { version, operation: { ...operation, report } };
}

function idOf({ cluster, namespace }: Scope, { kind, name }: WatchTarget): string {
  return formatOperationId({ cluster, namespace, kind: adapterFor(kind).type.kind, name });
}

function subtree(seen: readonly Seen[], id: string): Seen[] {
  const root = seen.find(({ operation }) => operation.id === id);
  if (root === undefined) return [];
  const parts = seen.filter(({ operation }) => operation.parent === id);
  return [root, ...parts.flatMap(({ operation }) => subtree(seen, operation.id))];
}

/** What became of it, why, and what to do next. */
function closingLines(operation: Operation, programName: string): string[] {
  const { sign, word } = stateOf(operation);
  const name = `${sign} ${nameOf(operation)}  ${word}`;
  const lines = [operation.sentence === undefined ? name : `${name}  ${operation.sentence}`];
  if (operation.report.state === 'completed' && operation.facts.isNothingSelected !== true) return lines;
  const noun = nounOf(operation.ref.kind);
  const command = (verb: string): string => `${programName} ${noun} ${verb} ${operation.ref.name}`;
  lines.push(`See why with: ${command('describe')}, ${command('logs')}`);
  if (noun === 'restore' && operation.report.state !== 'completed' && operation.phase !== 'FailedValidation') {
    const what = operation.report.state === 'canceled' ? 'Restore the rest' : 'Retry what failed';
    lines.push(`${what} with: ${command('retry')}`);
  }
  return lines;
}

/** What became of everything while it was watched, once nobody watches any more. */
function tellSummary(scope: Scope, kinds: readonly FollowedKind[], startedAt: number): void {
  if (!kinds.every(({ isKnown }) => isKnown)) return;
  const { now, seen } = momentOf(scope, kinds, undefined);
  // Times of objects are whole seconds.
  const operations = seen
    .map(({ operation }) => operation)
    .filter(({ report, endedAt }) => !isTerminal(report.state) || Date.parse(endedAt ?? '') >= startedAt - 1000);
  const counts = Map.groupBy(operations, (operation) => stateOf(operation).word);
  const parts = [...counts].map(([word, { length }]) => `${formatCount(length)} ${word}`);
  const what = parts.length === 0 ? 'nothing ran' : parts.join(', ');
  scope.deps.output.note(`Watched for ${formatDuration((now - startedAt) / 1000)}: ${what}`);
}

function tellItGoesOn({ deps }: Scope, target: WatchTarget | undefined): void {
  if (target === undefined) return;
  const name = `${nounOf(adapterFor(target.kind).type.kind)}/${target.name}`;
  deps.output.note(`Stopped watching; ${name} keeps running. Watch it again with: ${deps.programName} watch ${name}`);
  deps.output.note(`Cancel it with: ${deps.programName} ${name.replace('/', ' cancel ')}`);
}

function missing({ deps, namespace }: Scope, target: WatchTarget, wasSeen: boolean): AppError {
  const noun = nounOf(adapterFor(target.kind).type.kind);
  const message = wasSeen
    ? `${noun} "${target.name}" was deleted while it was watched`
    : `there is no ${noun} "${target.name}" in namespace ${namespace}`;
  const hint = `List what there is with: ${deps.programName} ${noun} get`;
  return new AppError('notFound', message, { details: { hint } });
}

function tooLong({ deps }: Scope, timeoutMs: number, target: WatchTarget | undefined): AppError {
  const time = formatDuration(timeoutMs / 1000);
  if (target === undefined) {
    const hint = `Operations keep running. Watch them again with: ${deps.programName} watch`;
    return new AppError('timeout', `stopped watching after ${time}, as --timeout says`, { details: { hint } });
  }
  const name = `${target.kind}/${target.name}`;
  return new AppError('timeout', `${name} has not finished after ${time}`, {
    details: { hint: `It keeps running. Watch it again with: ${deps.programName} watch ${name}` },
  });
}
