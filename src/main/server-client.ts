import { homedir } from 'node:os';
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
import type { ServerApi, ServerRequest } from '../cli/index.ts';
import { loadConnection, type Connection, type ConnectionChoice } from '../edge/kube/index.ts';
import { linesOf } from './text-lines.ts';
import { systemClock } from './system-clock.ts';
import { ServerRecord } from './serve/server-record.ts';

const ANSWER_WITHIN_MS = 120_000;

interface Deps {
  home: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The server that a flag, $HEADWAY_SERVER or this machine's record names; undefined when none does. */
export async function serverClient(
  choice: ConnectionChoice & { server?: string },
  { home, env, signal }: Deps,
): Promise<ServerApi | undefined> {
  const named = choice.server ?? env['HEADWAY_SERVER'];
  const url = named === undefined || named === '' ? new ServerRecord(home).url() : named;
  if (url === undefined) return undefined;
  const base = baseOf(url);
  const connection = await loadConnection({ clock: systemClock, env, homeDir: homedir() }, choice);
  const send = async (request: ServerRequest, deadline: AbortSignal): Promise<Response> => {
    const token = request.cluster === undefined ? {} : await tokenFor(connection, request.cluster, deadline);
    return await ask(base, request, { headers: token, signal: deadline });
  };
  return {
    url: base.origin,
    isNamed: named !== undefined && named !== '',
    ...(connection.context === undefined ? {} : { context: connection.context }),
    ask: async (request) => {
      const answer = await send(request, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]));
      return parseJson(await answer.text());
    },
    lines: async function* (request) {
      // A log is followed for as long as its operation runs; Ctrl-C and the server's end are its limits.
      const answer = await send(request, signal);
      if (answer.body !== null) yield* linesOf(answer.body);
    },
  };
}

/** The user's token, for the one cluster that it is meant for. */
async function tokenFor(
  connection: Connection,
  cluster: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { authorization } = (await connection.credentials.current(signal)).headers;
  if (authorization !== undefined) return { authorization, 'x-headway-cluster': cluster };
  throw new AppError(
    'unauthenticated',
    `${connection.label} has no token, and the Headway server knows users by theirs`,
    {
      details: { hint: 'Use a context with a token, such as that of a service account (kubectl create token NAME)' },
    },
  );
}

function baseOf(url: string): URL {
  try {
    return new URL(url.includes('://') ? url : `https://${url}`);
  } catch (cause) {
    throw new AppError('usage', `"${url}" is no address of a Headway server: expected https://HOST:PORT`, { cause });
  }
}

interface Sending {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

async function ask(base: URL, request: ServerRequest, { headers, signal }: Sending): Promise<Response> {
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
  return new AppError(code as ErrorCode, message, hint === undefined ? {} : { details: { hint } });
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
