import { AppError, isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { excerpt } from './transport/answer-error.ts';
import { describeAttempt, type Attempted } from './transport/attempted.ts';
import type { KubeAnswer } from './transport/transport.ts';

/**
 * Parses the JSON object in an answer. If the answer to a write cannot be parsed, it counts as lost: the write may have
 * been carried out.
 */
export function answerObject(attempted: Attempted, answer: KubeAnswer): JsonObject {
  let body: unknown;
  try {
    body = parseJson(answer.text);
  } catch {
    if (/^\s*[{[]/.test(answer.text)) throw brokenJson(attempted, answer.text);
    throw badAnswer(attempted, `expected JSON, got ${excerpt(answer)}`);
  }
  if (isObject(body)) return body;
  throw badAnswer(attempted, 'expected a JSON object, got another value');
}

/** Neither the text nor the parser's message, which quotes it, may appear in an error: it may be a Secret. */
export function brokenJson(attempted: Attempted, text: string): AppError {
  return badAnswer(
    attempted,
    `expected JSON, got JSON that is broken or breaks off (${String(text.length)} characters)`,
  );
}

export function badAnswer(attempted: Attempted, what: string): AppError {
  return new AppError('badAnswer', `${describeAttempt(attempted)}: ${what}`, {
    details: { maybeDone: attempted.method !== 'GET' },
  });
}
