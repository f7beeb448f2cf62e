import { AppError, ERROR_CODES, formatCount, formatDuration, toAppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { adapterFor, NOUNS, operationTitle, type Operation } from '../../core/operations/index.ts';
import { stateOf } from '../print/state.ts';
import { LeaderSigns } from './leader-signs.ts';
import { FollowedOperations } from './follow-operations.ts';
import { nounOf, type Scope } from './open-cluster.ts';
import { jsonView, plainView, treeView, type Moment, type Seen, type WatchView } from './watch-views.ts';

const TICK_MS = 200;

export interface WatchTarget {
  /** A kind, or the noun of several. */
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
  // A word that names no kind is told before anything is waited for.
  if (options.target !== undefined) nounFor(options.target);
  const startedAt = deps.clock.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const followed = new FollowedOperations(scope);
  let failure: AppError | undefined;
  const signs = new LeaderSigns(scope);
  const following = Promise.all([followed.run(signal), signs.run(signal)]).catch((error: unknown) => {
    failure = toAppError(error);
  });
  try {
    const view = viewOf(scope, options);
    return await showUntilEnd(scope, options, { followed, view, signs, failed: () => failure });
  } catch (error) {
    if (options.target === undefined) tellSummary(scope, followed, startedAt);
    if (!deps.signal.aborted) throw error;
    tellItGoesOn(scope, options.target);
    return ERROR_CODES.canceled.exitCode;
  } finally {
    stop.abort();
    await following;
  }
}

interface Watching {
  followed: FollowedOperations;
  view: WatchView;
  signs: LeaderSigns;
  failed: () => AppError | undefined;
}

async function showUntilEnd(
  scope: Scope,
  { target, timeoutMs = Infinity }: WatchOptions,
  { followed, view, signs, failed }: Watching,
): Promise<number> {
  const { clock, signal } = scope.deps;
  const until = clock.now() + timeoutMs;
  let wasSeen = false;
  for (;;) {
    const failure = failed();
    if (failure !== undefined) throw failure;
    if (followed.isKnown) {
      const silence = signs.silence();
      const moment = { ...momentOf(scope, followed, target), ...(silence === undefined ? {} : { silence }) };
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
function momentOf(scope: Scope, followed: FollowedOperations, target: WatchTarget | undefined): Moment {
  const now = scope.deps.clock.now();
  const seen = followed.seen(now);
  const { trouble } = followed;
  const told = trouble === undefined ? seen : seen.map(withoutEstimates);
  return { now, trouble, seen: target === undefined ? told : subtree(told, targetId(scope, told, target)) };
}

/** How fast it is and how long yet is not known of what cannot be heard. */
function withoutEstimates({ operation, version }: Seen): Seen {
  const { ratePerSecond: _, etaSeconds: __, ...report } = operation.report;
  return { version, operation: { ...operation, report } };
}

/** A noun may stand for several kinds, of which each may have one of this name. */
function targetId({ namespace }: Scope, seen: readonly Seen[], { kind, name }: WatchTarget): string | undefined {
  const wanted = kind.toLowerCase();
  const named = seen
    .map(({ operation }) => operation)
    .filter(({ noun, ref }) => ref.name === name && (noun === wanted || ref.kind.toLowerCase() === wanted));
  const [first, second] = named.toSorted((a, b) => isElsewhere(a, namespace) - isElsewhere(b, namespace));
  if (first !== undefined && second !== undefined && isElsewhere(first, namespace) === isElsewhere(second, namespace)) {
    const ids = named.map(({ ref }) => `${ref.kind.toLowerCase()}/${ref.name} in ${ref.namespace ?? ''}`).join(', ');
    throw new AppError('usage', `"${kind}/${name}" names several: ${ids}`, {
      details: { hint: 'Name the kind instead, and the namespace with -n' },
    });
  }
  return first?.id;
}

function isElsewhere({ ref }: Operation, namespace: string): number {
  return ref.namespace === namespace ? 0 : 1;
}

/** The noun of what was asked for; refuses a word that names no kind. */
function nounFor({ kind }: WatchTarget): string {
  const noun = NOUNS.find((each) => each === kind.toLowerCase());
  return noun ?? nounOf(adapterFor(kind).type.kind);
}

function subtree(seen: readonly Seen[], id: string | undefined): Seen[] {
  const root = seen.find(({ operation }) => operation.id === id);
  if (root === undefined) return [];
  const parts = seen.filter(({ operation }) => operation.parent === id);
  return [root, ...parts.flatMap(({ operation }) => subtree(seen, operation.id))];
}

/** What became of it, why, and what to do next. */
function closingLines(operation: Operation, programName: string): string[] {
  const { sign, word } = stateOf(operation);
  const name = `${sign} ${operationTitle(operation)}  ${word}`;
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
function tellSummary(scope: Scope, followed: FollowedOperations, startedAt: number): void {
  if (!followed.isKnown) return;
  const { now, seen } = momentOf(scope, followed, undefined);
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
  const name = `${nounFor(target)}/${target.name}`;
  deps.output.note(`Stopped watching; ${name} keeps running. Watch it again with: ${deps.programName} watch ${name}`);
  deps.output.note(`Cancel it with: ${deps.programName} ${name.replace('/', ' cancel ')}`);
}

function missing({ deps, namespace }: Scope, target: WatchTarget, wasSeen: boolean): AppError {
  const noun = nounFor(target);
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
