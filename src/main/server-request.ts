import {
  AppError,
  ERROR_CODES,
  isObject,
  messageOf,
  parseJson,
  stringifyJson,
  textAt,
  type ErrorCode,
} from '../base/index.ts';
import type { ServerRequest } from '../cli/index.ts';

export function baseOf(url: string): URL {
  try {
    return new URL(url.includes('://') ? url : `https://${url}`);
  } catch (cause) {
    throw new AppError('usage', `"${url}" is not the address of a Headway server: expected https://HOST:PORT`, {
      cause,
    });
  }
}

interface Sending {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** One request; every answer that is not 2xx is an AppError with the server's own words. */
export async function ask(base: URL, request: ServerRequest, { headers, signal }: Sending): Promise<Response> {
  const url = new URL(request.path, base);
  for (const [key, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(key, value);
  }
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: request.method,
      headers: {
        ...headers,
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: stringifyJson(request.body) }),
      // A token goes to the server that was named, and to no other.
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw unreachable(base, error, signal);
  }
  if (answer.ok) return answer;
  throw await refusal(`${request.method} ${url.pathname}`, answer);
}

function unreachable(base: URL, error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted && signal.reason instanceof AppError) return signal.reason;
  const code = signal.aborted ? 'timeout' : 'unreachable';
  const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);
  return new AppError(code, `cannot reach the Headway server at ${base.origin}: ${why}`, {
    cause: error,
    details: { hint: 'Start one with: headway server (or headway up), or name another with --server URL' },
  });
}

/** The server's own words; where there are none, it is not a Headway server. */
async function refusal(attempted: string, answer: Response): Promise<AppError> {
  const text = await answer.text();
  const error = errorOf(text);
  const code = textAt(error, 'code');
  const message = textAt(error, 'message');
  if (code === undefined || message === undefined || !Object.hasOwn(ERROR_CODES, code)) {
    return new AppError('badAnswer', `${attempted}: answered ${String(answer.status)}: ${text.slice(0, 200)}`);
  }
  const hint = textAt(error, 'hint');
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new AppError(code as ErrorCode, message, {
    ...(hint === undefined ? {} : { details: { hint } }),
    ...(Number.isFinite(seconds) ? { retry: { afterMs: seconds * 1000 } } : {}),
  });
}

function errorOf(text: string): Parameters<typeof textAt>[0] {
  try {
    const parsed = parseJson(text);
    return isObject(parsed) ? parsed['error'] : undefined;
  } catch {
    // A proxy's page, or nothing: the caller shows it as it is.
    return undefined;
  }
}
