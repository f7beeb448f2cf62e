import { AppError, isAppError, type JsonObject } from '../../../base/index.ts';
import { templateMessage } from '../arguments/where.ts';
import { TemplateProblem, fromJsonAsFloats, renderTemplate, type Budget } from '../template/index.ts';
import { followPath, printFound } from './follow-path.ts';
import { parsePath } from './json-path.ts';

/** A path in a condition of Wait: from `{` and a dollar sign up to `}`. */
const PATH = /\{\s*\$([^}]*)\}/g;

/** What a condition says of an object. A problem that is final stays, however long one waits. */
export type Verdict = { isMet: boolean } | { problem: string; isFinal: boolean };

/** Whether a condition prints `true` for an object. */
export function isConditionMet(
  by: 'Wait' | 'WaitV2',
  { condition, object, budget }: { condition: string; object: JsonObject; budget: Budget },
): Verdict {
  try {
    const text =
      by === 'Wait'
        ? renderTemplate(resolved(condition, object), undefined, { budget, missingKey: 'zero' })
        : renderTemplate(condition, fromJsonAsFloats(object), { budget, missingKey: 'nothing', functions: 'kubectl' });
    return { isMet: text.trim() === 'true' };
  } catch (error) {
    if (error instanceof TemplateProblem) {
      // What a path of Wait leads to becomes part of the template, and may be another the next time.
      const isFinal = error.kind === 'limit' || (error.kind === 'parse' && by === 'WaitV2');
      return { problem: templateMessage(error), isFinal };
    }
    if (isAppError(error)) return { problem: error.message, isFinal: error.code !== 'notFound' };
    throw error;
  }
}

/** The condition with what its paths lead to in their place, as text. */
function resolved(condition: string, object: JsonObject): string {
  return condition.replace(PATH, (_whole, path: string) => {
    const text = printFound(followPath(parsePath(path.trim()), object));
    if (text.length > MAX_TEXT)
      throw new AppError('tooLarge', `${path.trim()} leads to more than ${String(MAX_TEXT)} characters`);
    return text;
  });
}

const MAX_TEXT = 65_536;
