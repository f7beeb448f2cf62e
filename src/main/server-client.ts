import { AppError, isAppError, parseJson } from '../base/index.ts';
import type { ServerApi, ServerRequest } from '../cli/index.ts';
import type { Connection, ConnectionChoice } from '../edge/kube/index.ts';
import { findConnection, type Machine } from './connect.ts';
import { mustProve } from './prove-server.ts';
import { ServerRecords } from './serve/server-records.ts';
import { ask, baseOf } from './server-request.ts';
import { systemClock } from './system-clock.ts';
import { linesOf } from './text-lines.ts';

const ANSWER_WITHIN_MS = 120_000;
/** How long a busy server is asked again before its answer stands. */
const BUSY_MS = 60_000;

interface Deps extends Machine {
  signal: AbortSignal;
}

/** The server that a flag, $HEADWAY_SERVER or this machine's record names; undefined when none does. */
export async function serverClient(
  choice: ConnectionChoice & { server?: string },
  { signal, ...machine }: Deps,
): Promise<ServerApi | undefined> {
  const { home, env, tell } = machine;
  const named = [choice.server, env['HEADWAY_SERVER']].find((url) => url !== undefined && url !== '');
  const running = named === undefined ? new ServerRecords(home).running() : [];
  if (named === undefined && running.length === 0) return undefined;
  const connection = await findConnection(choice, machine);
  const record = running.find(({ clusters }) => clusters.includes(connection.context ?? '')) ?? running[0];
  const base = baseOf(named ?? record?.url ?? '');
  const send = async (request: ServerRequest, deadline: AbortSignal): Promise<Response> => {
    if (record !== undefined) await mustProve(record, base, deadline);
    const token = request.cluster === undefined ? {} : await tokenFor(connection, request.cluster, deadline);
    return await ask(base, request, { headers: token, signal: deadline });
  };
  return {
    url: base.origin,
    isNamed: named !== undefined,
    ...(connection.context === undefined ? {} : { context: connection.context }),
    ask: async (request) => {
      const answer = await whenNotBusy(
        () => send(request, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)])),
        { tell, signal },
      );
      return parseJson(await answer.text());
    },
    lines: async function* (request, stop) {
      // A log is followed for as long as its operation runs; Ctrl-C and the server's end are its limits.
      const answer = await send(request, stop === undefined ? signal : AbortSignal.any([signal, stop]));
      if (answer.body !== null) yield* linesOf(answer.body);
    },
  };
}

/** A server that does costly work for others names a time to come back, which is waited for a few times. */
async function whenNotBusy<T>(
  act: () => Promise<T>,
  { tell, signal }: { tell: (line: string) => void; signal: AbortSignal },
): Promise<T> {
  const startedAt = systemClock.now();
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isAppError(error, 'throttled') || typeof error.retry !== 'object') throw error;
      const { afterMs } = error.retry;
      if (systemClock.now() - startedAt + afterMs > BUSY_MS) throw error;
      tell(`${error.message}; asking again in ${String(Math.ceil(afterMs / 1000))} s`);
      await systemClock.sleep(afterMs, signal);
    }
  }
}

/** The user's token, for the one cluster that it is meant for. */
async function tokenFor(
  connection: Connection,
  cluster: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { authorization } = (await connection.credentials.current({ signal })).headers;
  if (authorization !== undefined) return { authorization, 'x-headway-cluster': cluster };
  throw new AppError(
    'unauthenticated',
    `${connection.label} has no token, and the Headway server identifies users by token`,
    {
      details: { hint: 'Use a context with a token, such as one of a service account (kubectl create token NAME)' },
    },
  );
}
