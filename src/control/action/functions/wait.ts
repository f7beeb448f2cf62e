import { AppError, backoffMs, isAppError, messageOf, type Backoff, type JsonObject } from '../../../base/index.ts';
import {
  isConditionMet,
  readTimeout,
  type Condition,
  type Conditions,
  type FunctionStats,
} from '../../../core/action/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { timeLimit } from '../../runtime/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { newBudget } from '../params/rendering.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import { referenceTarget } from './reference-target.ts';
import { Thirds } from './thirds.ts';

const LOOK: Backoff = { baseMs: 100, maxMs: 2_000 };

type Look = { isMet: boolean } | { problem: string; isFinal: boolean };

/** Waits for conditions on objects: any of `anyOf`, or all of `allOf`. */
export class WaitFor implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #by: 'Wait' | 'WaitV2';
  readonly #thirds = new Thirds();
  #last = 'it was not met';

  constructor(context: FunctionContext, by: 'Wait' | 'WaitV2') {
    this.#context = context;
    this.#by = by;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args, clock } = this.#context;
    const timeout = this.#context.render(args.text('timeout'), 'timeout');
    const limitMs = readTimeout(timeout);
    if ('problem' in limitMs) throw new AppError('invalid', limitMs.problem);
    const conditions = this.#rendered(args.conditions('conditions'));
    const late = (): AppError =>
      new AppError('timeout', `Failed to wait for the condition to be met: not within ${timeout}: ${this.#last}`);
    const limit = timeLimit(signal, limitMs.value, { clock, late });
    const told = this.#context.wait(new AppError('timeout', 'conditions on objects have to be met'), 'slow');
    this.#thirds.reach(1);
    try {
      await this.#untilMet(conditions, told, limit.signal);
      this.#thirds.reach(2);
      return {};
    } catch (error) {
      signal.throwIfAborted();
      limit.signal.throwIfAborted();
      throw error;
    } finally {
      told.end();
      limit.end();
    }
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  async #untilMet(conditions: Conditions, told: { tell(cause: AppError): void }, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#context;
    for (let looks = 0; ; looks += 1) {
      const [anyOf, allOf] = await Promise.all([
        this.#look(conditions.anyOf, signal),
        this.#look(conditions.allOf, signal),
      ]);
      if (anyOf.some(isMet)) return;
      if (allOf.length > 0 && allOf.every(isMet)) return;
      const problems = [...anyOf, ...allOf].flatMap((look) => ('problem' in look ? [look] : []));
      const final = problems.find(({ isFinal }) => isFinal);
      if (final !== undefined) throw new AppError('invalid', final.problem);
      this.#last = problems[0]?.problem ?? 'it was not met';
      told.tell(new AppError('timeout', `conditions on objects have to be met: ${this.#last}`));
      await clock.sleep(backoffMs(looks, LOOK, random()), signal);
    }
  }

  async #look(conditions: readonly Condition[], signal: AbortSignal): Promise<Look[]> {
    return await Promise.all(conditions.map((condition) => this.#lookAt(condition, signal)));
  }

  async #lookAt({ condition, objectReference }: Condition, signal: AbortSignal): Promise<Look> {
    const { kube, clock } = this.#context;
    let object: KubeObject;
    try {
      object = await kube.get(referenceTarget(objectReference), { signal, deadlineMs: CALL_DEADLINE_MS });
    } catch (error) {
      signal.throwIfAborted();
      // An object may still come, and a server that is away may come back: the timeout decides.
      return { problem: messageOf(error), isFinal: isAppError(error, 'forbidden', 'invalid', 'usage') };
    }
    return isConditionMet(this.#by, { condition, object, budget: newBudget(clock) });
  }

  /** Which objects is a template, the condition is one of its own. */
  #rendered({ anyOf, allOf }: Conditions): Conditions {
    const rendered = ({ condition, objectReference }: Condition): Condition => {
      const fields = Object.entries(objectReference).map(([field, text]) => [
        field,
        this.#context.render(String(text), `objectReference.${field}`),
      ]);
      return { condition, objectReference: Object.fromEntries(fields) as Condition['objectReference'] };
    };
    return { anyOf: anyOf.map(rendered), allOf: allOf.map(rendered) };
  }
}

function isMet(look: Look): boolean {
  return 'isMet' in look && look.isMet;
}
