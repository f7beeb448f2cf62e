import { ERROR_CODES, formatCount, formatDuration, toAppError, type AppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { Operation } from '../../core/operations/index.ts';
import type { OperationKind } from '../objects/kinds.ts';
import type { CliDeps } from '../ports.ts';
import type { Where } from '../print/operation-tree.ts';
import { stateOf } from '../print/state.ts';
import { FollowedOperations } from './follow-operations.ts';
import { LeaderSigns } from './leader-signs.ts';
import type { Scope } from './open-cluster.ts';
import { notShownLine } from './refusals.ts';
import { closingLines, findTarget, kindsOfTarget, tellItGoesOn, tooLong, type WatchTarget } from './watch-target.ts';
import { jsonView, plainView, treeView, type Moment, type Seen, type Trouble, type WatchView } from './watch-views.ts';

const TICK_MS = 200;

export interface WatchOptions {
  /** One operation and its parts, until it ends; all of them for ever if absent. */
  target?: WatchTarget;
  output?: string;
  timeoutMs?: number;
}

/** What one watch is about, and what it shows. */
interface Watching {
  scopes: readonly Scope[];
  /** The same for all of them. */
  scope: Scope;
  target: WatchTarget | undefined;
  kinds: readonly OperationKind[] | undefined;
  followed: FollowedOperations;
  signs: readonly LeaderSigns[];
  view: WatchView;
}

/** Shows the operations of one or more clusters live, and returns the exit code of the one that was asked for. */
export async function watchOperations(scopes: readonly Scope[], options: WatchOptions): Promise<number> {
  const [scope] = scopes;
  if (scope === undefined) return 0;
  const { deps } = scope;
  const { target } = options;
  // A word that names no kind is told before anything is waited for.
  const kinds = target === undefined ? undefined : kindsOfTarget(target);
  const startedAt = deps.clock.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const followed = new FollowedOperations(scopes, kinds);
  // What somebody else's program runs waits for no Headway.
  const needsHeadway = kinds?.some((kind) => kind.needsHeadway) ?? true;
  const signs = needsHeadway ? scopes.map((each) => new LeaderSigns(each)) : [];
  let failure: AppError | undefined;
  const following = Promise.all([followed, ...signs].map((each) => each.run(signal))).catch((error: unknown) => {
    failure = toAppError(error);
  });
  const watching = { scopes, scope, target, kinds, followed, signs, view: viewOf(deps, scopes, options) };
  try {
    return await showUntilEnd(watching, { timeoutMs: options.timeoutMs ?? Infinity, failed: () => failure });
  } catch (error) {
    if (target === undefined) tellSummary(watching, startedAt);
    if (!deps.signal.aborted) throw error;
    if (target !== undefined) tellItGoesOn(deps, target);
    return ERROR_CODES.canceled.exitCode;
  } finally {
    stop.abort();
    await following;
  }
}

async function showUntilEnd(
  watching: Watching,
  { timeoutMs, failed }: { timeoutMs: number; failed: () => AppError | undefined },
): Promise<number> {
  const { scope, target, followed, view } = watching;
  const { clock, signal, programName } = scope.deps;
  const until = clock.now() + timeoutMs;
  let wasSeen = false;
  for (;;) {
    const failure = failed();
    if (failure !== undefined) throw failure;
    if (followed.isKnown) {
      if (!wasSeen) tellRefusals(watching);
      const moment = momentOf(watching, wasSeen);
      const wanted = target === undefined ? undefined : moment.seen[0]?.operation;
      wasSeen = true;
      view.show(moment);
      if (wanted !== undefined && isTerminal(wanted.report.state)) {
        view.end(closingLines(wanted, programName));
        return wanted.report.state === 'completed' && wanted.facts.isNothingSelected !== true ? 0 : 1;
      }
    }
    if (clock.now() >= until) throw tooLong(scope.deps, timeoutMs, target);
    await clock.sleep(TICK_MS, signal);
  }
}

/** What cannot be seen is told once; if that is all of it, there is nothing to wait for. */
function tellRefusals({ scope, followed, kinds }: Watching): void {
  followed.checkRefusals(kinds);
  const line = notShownLine(followed.refusals);
  if (line !== undefined && kinds === undefined) scope.deps.output.note(line);
}

function viewOf(
  { output, clock, programName }: CliDeps,
  scopes: readonly Scope[],
  { output: format, target }: WatchOptions,
): WatchView {
  const options = { programName, isOne: target !== undefined, where: whereOf(scopes) };
  if (format === 'json') return jsonView(output, options);
  return output.isTerminal ? treeView(output, { ...options, now: () => clock.now() }) : plainView(output, options);
}

/** Names repeat in other clusters and namespaces; where nothing is from elsewhere, nobody has to read it. */
function whereOf(scopes: readonly Scope[]): (operations: readonly Operation[]) => Where {
  const isEverywhere = scopes.some(({ allNamespaces }) => allNamespaces === true);
  return (operations) => ({
    cluster: scopes.length > 1,
    namespace: isEverywhere || operations.some(({ noun }) => noun === 'action'),
  });
}

/** What is shown now; the target itself first. */
function momentOf({ scope, scopes, followed, target, kinds = [], signs }: Watching, wasSeen: boolean): Moment {
  const now = scope.deps.clock.now();
  const { troubles } = followed;
  const seen = followed.seen(now).map((each) => heard(each, troubles));
  const silences = signs.flatMap((sign, at) => {
    const text = sign.silence();
    return text === undefined ? [] : [{ cluster: scopes[at]?.cluster ?? '', text }];
  });
  const moment = { now, troubles, silences, seen };
  return target === undefined ? moment : { ...moment, seen: findTarget(scope, seen, { target, kinds, wasSeen }) };
}

/** How fast it is and how long yet is not known of what cannot be heard. */
function heard(seen: Seen, troubles: readonly Trouble[]): Seen {
  const { operation } = seen;
  if (!troubles.some(({ cluster }) => cluster === operation.cluster)) return seen;
  const { ratePerSecond: _, etaSeconds: __, ...report } = operation.report;
  return { ...seen, operation: { ...operation, report } };
}

/** What became of everything while it was watched, once nobody watches any more. */
function tellSummary({ scope, followed }: Watching, startedAt: number): void {
  if (!followed.isKnown) return;
  const now = scope.deps.clock.now();
  // Times of objects are whole seconds.
  const operations = followed
    .seen(now)
    .map(({ operation }) => operation)
    .filter(({ report, endedAt }) => !isTerminal(report.state) || Date.parse(endedAt ?? '') >= startedAt - 1000);
  const counts = Map.groupBy(operations, (operation) => stateOf(operation).word);
  const parts = [...counts].map(([word, { length }]) => `${formatCount(length)} ${word}`);
  const what = parts.length === 0 ? 'nothing ran' : parts.join(', ');
  scope.deps.output.note(`Watched for ${formatDuration((now - startedAt) / 1000)}: ${what}`);
}
