import { AppError, PRINTED, type JsonObject } from '../../../base/index.ts';
import {
  phaseExecuted,
  phaseKept,
  renderArguments,
  type ActionFacts,
  type BlueprintPhase,
  type FunctionDeclaration,
  type PhaseRef,
  type Rendering,
} from '../../../core/action/index.ts';
import type { Operation } from '../../operation/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import { ArgumentReader } from '../functions/argument-reader.ts';
import type { FunctionContext } from '../functions/function.ts';
import { FunctionPods } from '../functions/function-pods.ts';
import type { ProfileAccess } from '../functions/profile-access.ts';
import type { ActionDeps } from './deps.ts';
import type { LiveStatus } from './live-status.ts';
import { newBudget } from '../params/rendering.ts';
import type { RunningAction } from './running-action.ts';
import { outputProblem } from './status-size.ts';

export interface ContextParts {
  operation: Operation;
  deps: ActionDeps;
  live: LiveStatus;
  action: RunningAction;
  ref: PhaseRef;
  phase: BlueprintPhase;
  declaration: FunctionDeclaration;
  facts: ActionFacts;
  rendering: Rendering;
  timeoutMs: number | undefined;
  /** Writes the status now. */
  store: () => Promise<void>;
}

/** What one run of a function may use. Throws `invalid` for arguments that cannot be rendered or are not as declared. */
export function contextOf(parts: ContextParts): FunctionContext {
  const { operation, deps, live, action, ref, phase, declaration, facts, rendering, timeoutMs, store } = parts;
  const { object: actionSet, run, lasting } = operation;
  const given: JsonObject = phase.args ?? {};
  const args = new ArgumentReader(
    declaration,
    declaration.rendersArguments ? renderArguments(given, rendering) : given,
  );
  const status = live.phase(ref);
  const { attempt = 1 } = status;
  const log = operation.log.child({ action: action.spec.name, phase: phase.name });
  const wait: FunctionContext['wait'] = (cause, kind) => run.wait(cause, kind);
  const render = (text: string, argument: string): string => {
    const own = { ...rendering, budget: newBudget(deps.clock) };
    const [rendered] = Object.values(renderArguments({ [argument]: text }, own));
    return typeof rendered === 'string' ? rendered : text;
  };
  const now = (): string => toTime(deps.clock.now());
  return {
    ...{ declaration, args, facts, actionSet, ref, attempt, log, wait, render, lasting, timeoutMs },
    target: action.inputs.target,
    namespace: actionSet.metadata.namespace ?? '',
    ...{ kube: deps.kube, clock: deps.clock, random: deps.random },
    api: (signal) => operation.api(signal),
    output: (line, { namespace, exec }) => {
      log.info(PRINTED, { namespace, exec, line });
    },
    pods: new FunctionPods({
      ...{ runner: deps.runner(), actionSet, ref, attempt, args, facts, timeoutMs, lasting, wait },
      takesOverrides: declaration.arguments['podOverride'] !== undefined,
    }),
    profile: () => profileOf(action, render),
    kept: status.output ?? {},
    keep: async (fields) => {
      live.change(phaseKept(live.current, ref, { output: fields, now: now() }));
      await store();
    },
    executed: async (outcome) => {
      // One that does not fit must not be in the status either: nothing could be written after it.
      const problem = 'output' in outcome ? outputProblem(live.current, ref, outcome.output) : undefined;
      const kept = problem === undefined ? outcome : { reason: problem };
      live.change(phaseExecuted(live.current, ref, { outcome: kept, now: now() }));
      await store();
    },
  };
}

function profileOf({ inputs }: RunningAction, render: FunctionContext['render']): ProfileAccess {
  const { profile } = inputs;
  if (profile === undefined) throw new AppError('invalid', 'Profile must be non-nil: the action has no profile');
  return { profile, json: render('{{ toJson .Profile }}', 'profile') };
}
