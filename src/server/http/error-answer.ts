import { toAppError, type JsonObject } from '../../base/index.ts';
import { withoutRequest, type ErrorAnswer } from '../../core/operations/index.ts';
import { fieldErrors } from './field-errors.ts';

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  answer: ErrorAnswer;
}

/** A body can have a problem in each of its fields, and what is quoted of it can be as long as it is. */
const MAX_PROBLEMS = 100;
const MAX_TEXT = 2000;

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Any failure as every client reads it. What is a bug of ours tells nothing about its insides. */
export function errorReply(thrown: unknown): ErrorReply {
  const error = toAppError(thrown);
  const isBug = error.facts.family === 'bug';
  const hint = error.details?.['hint'];
  const problems = error.details?.['problems'];
  const fields = fieldErrors(error).map(({ field, message: text }) => ({ field: cut(field), message: cut(text) }));
  // The API server quotes rules for programs; what is wrong with each field says the same for people.
  const isToldByFields = fields.length > 0 && error.code === 'invalid' && error.details?.['status'] !== undefined;
  const said = isToldByFields
    ? fields.map(({ field, message }) => `${field}: ${message}`).join('; ')
    : withoutRequest(error.message);
  const message = isBug ? 'the server failed to answer; its log says why' : cut(said);
  const details: JsonObject = {
    ...(Array.isArray(problems) && {
      problems: problems.slice(0, MAX_PROBLEMS).map((problem) => cut(String(problem))),
    }),
    ...(fields.length > 0 && { fields }),
  };
  return {
    status: error.facts.httpStatus,
    headers: retryAfter(error.retry),
    answer: {
      error: {
        code: error.code,
        message,
        ...(typeof hint === 'string' ? { hint } : {}),
        ...(Object.keys(details).length === 0 || isBug ? {} : { details }),
      },
    },
  };
}

function retryAfter(retry: unknown): Record<string, string> {
  if (typeof retry !== 'object' || retry === null) return {};
  const { afterMs } = retry as { afterMs: number };
  return { 'retry-after': String(Math.max(1, Math.ceil(afterMs / 1000))) };
}
