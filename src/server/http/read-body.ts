import type { IncomingMessage } from 'node:http';
import { AppError, isAppError, parseJson, type Json } from '../../base/index.ts';

/** Ten times what any object of Kubernetes needs; whoever walks through the value afterwards need not count. */
const MAX_DEPTH = 200;
/** Checking each of them takes time in which nobody else is answered. */
const MAX_VALUES = 10_000;

export interface BodyLimits {
  bodyBytes: number;
  bodyMs: number;
}

/** A JSON body, whole. Only JSON is taken, because a browser sends that to another origin only after asking. */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<Json> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new AppError('unsupported', `read the body: expected content-type application/json, got ${type ?? 'none'}`);
  }
  const text = await readText(request, limits);
  const { depth, values } = measure(text);
  if (depth > MAX_DEPTH) {
    throw new AppError('usage', `read the body: expected at most ${String(MAX_DEPTH)} levels of nesting, it has more`);
  }
  if (values > MAX_VALUES) {
    throw new AppError('tooLarge', `read the body: expected at most ${String(MAX_VALUES)} values, it has more`);
  }
  try {
    return parseJson(text) as Json;
  } catch (error) {
    throw new AppError('usage', 'read the body: it is no JSON', { cause: error });
  }
}

async function readText(request: IncomingMessage, { bodyBytes, bodyMs }: BodyLimits): Promise<string> {
  const tooLarge = (): AppError =>
    new AppError('tooLarge', `read the body: expected at most ${String(bodyBytes)} bytes, there are more`);
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  const isLate = AbortSignal.timeout(bodyMs);
  const stop = (): void => {
    request.destroy(new AppError('timeout', `read the body: it did not come within ${String(bodyMs)} ms`));
  };
  isLate.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > bodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (isAppError(error)) throw error;
    throw new AppError('canceled', 'read the body: the client has left before it was whole', { cause: error });
  } finally {
    isLate.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Looks at what is outside of strings, in one pass; what is no JSON at all is for the parser to say. */
function measure(text: string): { depth: number; values: number } {
  let [depth, most, values] = [0, 0, 1];
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString && character === '\\') at += 1;
    else if (isString) continue;
    else if (character === '[' || character === '{') most = Math.max(most, (depth += 1));
    else if (character === ']' || character === '}') depth -= 1;
    else if (character === ',') values += 1;
  }
  return { depth: most, values };
}
