import { AppError, isObject, parseJson, type JsonObject } from '../../base/index.ts';
import { excerpt } from './transport/errors.ts';
import type { KubeAnswer } from './transport/transport.ts';

/** The JSON object in an answer; `from` says what was asked of whom, such as `GET /apis at https://10.0.0.1:6443`. */
export function answerObject(from: string, answer: KubeAnswer): JsonObject {
  let body: unknown;
  try {
    body = parseJson(answer.text);
  } catch {
    // Neither the answer nor the parser's message, which quotes it, may stand in an error: it may be a Secret.
    const got = /^\s*[{[]/.test(answer.text)
      ? `JSON that is broken or breaks off (${String(answer.text.length)} characters)`
      : excerpt(answer);
    throw new AppError('badAnswer', `${from}: expected JSON, got ${got}`);
  }
  if (isObject(body)) return body;
  throw new AppError('badAnswer', `${from}: expected a JSON object, got another value`);
}
