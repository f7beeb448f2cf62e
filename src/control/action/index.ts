/**
 * The engine that runs ActionSets of cr.kanister.io, and the functions of Blueprints. It must never hold anything in a
 * function that outlives one phase run, and never do anything that its declaration in core/action does not say.
 *
 * How to add a function:
 * - Its declaration (arguments, outputs, how it tells progress, what happens after a restart) is in core/action/functions.
 * - Its code is one file in `functions/`: a class that implements `ActionFunction`, constructed with a `FunctionContext`
 *   for one attempt at one phase. `exec(signal)` does the work and returns the outputs; `stats()` tells how far it is, in
 *   hundredths of a percent, with bytes where it has them; `cleanUp` only if it leaves something behind.
 * - One line in `functions/table.ts`.
 *
 * What the context gives:
 * - `args`: rendered, checked and typed arguments (`args.text('image')`). Everything else that templates see: `facts`.
 * - `pods.run(pod, listener, signal)`: a pod with the overrides, labels and annotations of Blueprint and ActionSet, found
 *   again after a restart by its name. `onLine` hears every line once and in order; call `executed(outcome)` in `onEnded`,
 *   so that a kill between the end of the pod and the end of the phase does not run it twice. `runJob` (run-job.ts) does
 *   all that for a program that prints `kando output`; `runExec` (run-exec.ts) runs a command in a container.
 * - `profile()`: the Profile and its JSON with credentials; core's `readProfile(json, path)` makes a store's settings of it.
 * - `api(signal).call(() => kube.…)`: a request that waits while the API server is away. `wait(…)` tells what it waits for.
 * - `keep(fields)`: outputs that must be stored before something is changed; a later attempt finds them in `kept`.
 * - `Thirds` (thirds.ts) for functions that cannot tell how far they are.
 *
 * What the engine does around it: renders, checks, calls `stats` ten times a second, enforces `timeout`, tries again for
 * `retries`, writes the status, and on a restart calls `exec` again (`pod`, `repeat`), `cleanUp` (executed before), or
 * lets the phase fail (`fail`), as the declaration's `resume` says.
 */
import { CREATED_BY_KANISTER } from '../../api/index.ts';
import { NO_WAIT, OperationController, patienceOf, type OperationDeps } from '../operation/index.ts';
import { PodRunner } from '../pods/index.ts';
import type { ObjectCache, Part } from '../runtime/index.ts';
import { actionSetKind } from './engine/action-set-kind.ts';
import type { ActionDeps } from './engine/deps.ts';
import { createTimeToLive } from './engine/time-to-live.ts';
import { IMPLEMENTATIONS } from './functions/table.ts';

export { previewSet } from './dry-run.ts';
export type { ActionFunction, FunctionContext, FunctionFactory } from './functions/function.ts';

/** Runs ActionSets of all namespaces. It watches only them: everything else is read when it is needed. */
export function createActionController(deps: OperationDeps, caches: { actionSets: ObjectCache }): { parts: Part[] } {
  let current: { term: AbortSignal; runner: PodRunner } | undefined;
  const runner = (): PodRunner => {
    const term = deps.term();
    if (current?.term !== term) current = { term, runner: podRunner(deps, term) };
    return current.runner;
  };
  const own: ActionDeps = { ...deps, ...caches, runner, functions: IMPLEMENTATIONS };
  const sets = new OperationController(actionSetKind(own), own, caches.actionSets);
  return { parts: [...sets.parts, createTimeToLive(own, caches.actionSets)] };
}

/** One for all sets: it watches their pods in all namespaces. */
function podRunner(deps: OperationDeps, term: AbortSignal): PodRunner {
  const api = (signal: AbortSignal) => patienceOf({ wait: () => NO_WAIT }, deps).until(signal);
  return new PodRunner({ ...deps, api }, term, { labelSelector: `createdBy=${CREATED_BY_KANISTER.createdBy}` });
}
