import type { IncomingMessage } from 'node:http';
import { AppError, parseJson, type Json } from '../../base/index.ts';

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
  } finally {
    isLate.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks).toString('utf8');
}
