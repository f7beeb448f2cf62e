import { AppError, isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { describeAttempt, excerpt, type Attempted } from './transport/errors.ts';
import type { KubeAnswer } from './transport/transport.ts';

/** The JSON object in an answer. One to a write that cannot be read is as good as lost: it may have been carried out. */
export function answerObject(attempted: Attempted, answer: KubeAnswer): JsonObject {
  let body: unknown;
  try {
    body = parseJson(answer.text);
  } catch {
    // Neither the answer nor the parser's message, which quotes it, may stand in an error: it may be a Secret.
    const got = /^\s*[{[]/.test(answer.text)
      ? `JSON that is broken or breaks off (${String(answer.text.length)} characters)`
      : excerpt(answer);
    throw badAnswer(attempted, `expected JSON, got ${got}`);
  }
  if (isObject(body)) return body;
  throw badAnswer(attempted, 'expected a JSON object, got another value');
}

export function badAnswer(attempted: Attempted, what: string): AppError {
  return new AppError('badAnswer', `${describeAttempt(attempted)}: ${what}`, {
    details: { maybeDone: attempted.method !== 'GET' },
  });
}
