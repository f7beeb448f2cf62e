import {
  AppError,
  isAppError,
  isObject,
  messageOf,
  parseJson,
  type Clock,
  type JsonObject,
} from '../../../base/index.ts';
import { startDeadline, type Deadline } from '../transport/deadline.ts';
import { statusError } from '../transport/answer-error.ts';
import { attemptAt, describeAttempt, type Attempted } from '../transport/attempted.ts';
import { CHANNEL, exitCodeOf, V5 } from './exec-frames.ts';
import { expectOpen, keepAlive, openSession, sendStdin, type ExecSession } from './exec-session.ts';
import { withDetails } from '../transport/with-details.ts';
import { podPath } from '../path.ts';
import type { ExecOptions, PodTarget } from '../port.ts';
import type { Transport, WebsocketTarget } from '../transport/transport.ts';

export interface ExecDeps {
  transport: Transport;
  clock: Clock;
  /** How often the server is pinged; six missing answers mean a broken connection. Default 10 s. */
  pingEveryMs?: number;
  /** For the server's answer to the connection; the command may then take as long as its own deadline. Default 30 s. */
  openWithinMs?: number;
}

const PING_EVERY_MS = 10_000;
const OPEN_WITHIN_MS = 30_000;
const MAX_STATUS_BYTES = 1024 * 1024;
/** The server closes after the status; if it forgets to, we wait no longer than this. */
const CLOSE_WITHIN_MS = 2000;

export async function exec(deps: ExecDeps, pod: PodTarget, options: ExecOptions): Promise<{ exitCode: number }> {
  const { transport, clock } = deps;
  const path = podPath(pod, 'exec');
  const attempted = attemptAt(transport, 'EXEC', path);
  const { container } = pod;
  const query = { container, command: options.command, stdin: options.stdin !== undefined, stdout: true, stderr: true };
  const deadline = startDeadline(options.deadlineMs, options.signal);
  try {
    for (let refused = false; ; refused = true) {
      let session: ExecSession | undefined;
      let target: WebsocketTarget | undefined;
      try {
        target = await transport.websocketTarget(path, query, deadline.signal);
        deadline.signal.throwIfAborted();
        session = openSession(target, attempted, () => clock.now());
        const { pingEveryMs = PING_EVERY_MS, openWithinMs = OPEN_WITHIN_MS } = deps;
        const status = await converse(session, options, { deadline, pingEveryMs, openWithinMs });
        return { exitCode: readStatus(status, attempted, clock.now()) };
      } catch (error) {
        if (deadline.expired) throw timeout(attempted, options, session);
        options.signal?.throwIfAborted();
        const failure = session === undefined ? unsent(error) : (session.failure() ?? error);
        if (refused || !hasRefusedUser(failure, session) || target?.forgetCredential() !== true) throw failure;
      } finally {
        session?.frames.destroy();
      }
    }
  } finally {
    deadline.clear();
  }
}

/** Such as a plugin that has no credential for us: the command has certainly not begun. */
function unsent(error: unknown): unknown {
  return isAppError(error) ? withDetails(error, { maybeDone: false }) : error;
}

/** Nothing has begun then: the command may be sent again, with another credential. */
function hasRefusedUser(failure: unknown, session: ExecSession | undefined): boolean {
  return isAppError(failure, 'unauthenticated') && session?.socket.protocol === '';
}

async function converse(
  session: ExecSession,
  options: ExecOptions,
  limits: { deadline: Deadline; pingEveryMs: number; openWithinMs: number },
): Promise<Buffer> {
  const { signal } = limits.deadline;
  const onAbort = (): void => {
    session.fail(signal.reason);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const stopPinging = keepAlive(session, limits.pingEveryMs);
  const stopWaiting = expectOpen(session, limits.openWithinMs);
  const stopSending = options.stdin === undefined ? undefined : sendStdin(session, options.stdin);
  try {
    return await receive(session, options);
  } finally {
    signal.removeEventListener('abort', onAbort);
    stopPinging();
    stopWaiting();
    stopSending?.();
  }
}

/** Passes the output on and returns what arrived on the status channel. */
async function receive(session: ExecSession, options: ExecOptions): Promise<Buffer> {
  const status: Buffer[] = [];
  let statusBytes = 0;
  let lateClose: NodeJS.Timeout | undefined;
  const close = (): void => {
    session.socket.terminate();
  };
  try {
    for await (const message of session.frames as AsyncIterable<Buffer | string>) {
      const frame = typeof message === 'string' ? Buffer.from(message) : message;
      const bytes = frame.subarray(1);
      // The server opens with an empty message on some channel.
      if (bytes.length === 0) continue;
      if (frame[0] === CHANNEL.stdout) await options.stdout?.(bytes);
      else if (frame[0] === CHANNEL.stderr) await options.stderr?.(bytes);
      else if (frame[0] === CHANNEL.status && statusBytes + bytes.length <= MAX_STATUS_BYTES) {
        statusBytes += bytes.length;
        status.push(bytes);
        lateClose ??= setTimeout(close, CLOSE_WITHIN_MS);
      }
    }
  } finally {
    clearTimeout(lateClose);
  }
  if (session.failure() !== undefined) throw session.failure();
  return Buffer.concat(status);
}

function readStatus(bytes: Buffer, attempted: Attempted, now: number): number {
  const at = describeAttempt(attempted);
  if (bytes.length === 0) {
    throw new AppError('unreachable', `${at}: the connection ended before the command's exit code came`, {
      details: { maybeDone: true },
    });
  }
  let status: JsonObject;
  try {
    const parsed = parseJson(bytes.toString('utf8'));
    status = isObject(parsed) ? parsed : {};
  } catch (cause) {
    throw new AppError('badAnswer', `${at}: expected a Status as JSON: ${messageOf(cause)}`, { cause });
  }
  const code = exitCodeOf(status);
  if (code === undefined) throw statusError(attempted, { ...status, kind: 'Status' }, now);
  return code;
}

function timeout(attempted: Attempted, options: ExecOptions, session: ExecSession | undefined): AppError {
  // The server picks it when it accepts the connection, and starts no command before.
  const protocol = session?.socket.protocol ?? '';
  const isDeaf = options.stdin !== undefined && protocol !== '' && protocol !== V5;
  const hint = isDeaf ? '; the server speaks only v4, in which the command cannot be told that its input ended' : '';
  const expected = `expected the command to end within ${String(options.deadlineMs)} ms`;
  return new AppError('timeout', `${describeAttempt(attempted)}: ${expected}${hint}`, {
    details: { maybeDone: protocol !== '' },
  });
}
