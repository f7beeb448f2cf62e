import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { AppError } from '../../../base/index.ts';
import { answerError } from '../transport/answer-error.ts';
import { describeAttempt, type Attempted } from '../transport/attempted.ts';
import { connectionError } from '../transport/connection-error.ts';
import { withDetails } from '../transport/with-details.ts';
import { CHANNEL, encodeFrame, END_OF_STDIN, PROTOCOLS, V5 } from './exec-frames.ts';
import { readBody } from '../transport/body.ts';
import type { WebsocketTarget } from '../transport/transport.ts';

const UNHEARD_PINGS = 6;
const STDIN_CHUNK = 32 * 1024;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 1024 * 1024;

/** One websocket and its first failure, which says more than the errors that follow from it. */
export interface ExecSession {
  socket: WebSocket;
  /** Reads one message at a time; while nobody reads, the socket is paused. */
  frames: Duplex;
  attempted: Attempted;
  fail: (error: unknown) => void;
  failure: () => unknown;
}

export function openSession(target: WebsocketTarget, attempted: Attempted, now: () => number): ExecSession {
  const socket = new WebSocket(target.url, [...PROTOCOLS], {
    headers: { ...target.headers },
    ...target.tls,
    ...(target.agent === undefined ? {} : { agent: target.agent }),
    perMessageDeflate: false,
    maxPayload: MAX_FRAME_BYTES,
  });
  let failure: unknown;
  socket.on('error', (error) => {
    failure ??= connectionError(attempted, error);
  });
  const frames = createWebSocketStream(socket, { readableObjectMode: true });
  const fail = (error: unknown): void => {
    failure ??= error;
    frames.destroy();
  };
  socket.on('unexpected-response', (_request, response) => {
    refusal(response, attempted, now()).then(fail, fail);
  });
  return { socket, frames, attempted, fail, failure: () => failure };
}

/** The server sent an ordinary answer instead of 101, such as a 404 Status for a missing pod. */
async function refusal(response: IncomingMessage, attempted: Attempted, now: number): Promise<AppError> {
  // An answer that breaks off has said by its status what became of the request.
  const text = await readBody(response, response.headers['content-encoding'], MAX_REFUSAL_BYTES).catch(() => '');
  const error = answerError(attempted, { status: response.statusCode ?? 0, headers: response.headers, text }, now);
  // The API server refuses before a command begins; an answer from a proxy in front of it proves nothing.
  return error.details?.['status'] === undefined ? error : withDetails(error, { maybeDone: false });
}

/** Returns a function that stops it. A failing source ends the command; a command that ends early stops the source. */
export function sendStdin(session: ExecSession, stdin: AsyncIterable<Uint8Array>): () => void {
  let source: AsyncIterator<Uint8Array> | undefined;
  let stopped = false;
  const send = async (): Promise<void> => {
    await opened(session.socket);
    // A connection that was refused leaves the source to the next one.
    if (stopped || session.socket.readyState !== WebSocket.OPEN) return;
    source = stdin[Symbol.asyncIterator]();
    for (;;) {
      const next = await source.next();
      if (stopped || next.done === true || session.socket.readyState !== WebSocket.OPEN) break;
      for (let at = 0; at < next.value.length; at += STDIN_CHUNK) {
        await write(session.socket, encodeFrame(CHANNEL.stdin, next.value.subarray(at, at + STDIN_CHUNK)));
      }
    }
    // v4 has no message for it: the command waits for more until it ends by itself or the deadline passes.
    if (!stopped && session.socket.protocol === V5) await write(session.socket, END_OF_STDIN);
  };
  send().catch((error: unknown) => {
    if (!stopped) session.fail(error);
  });
  return () => {
    stopped = true;
    // Not awaited: a source that waits for a person may take any amount of time.
    source?.return?.().catch(() => undefined);
  };
}

async function opened(socket: WebSocket): Promise<void> {
  if (socket.readyState !== WebSocket.CONNECTING) return;
  await new Promise<void>((resolve) => {
    socket.once('open', resolve);
    socket.once('close', () => {
      resolve();
    });
  });
}

/**
 * Resolves when the socket accepted the bytes. A closed socket accepts nothing: the status it sent decides. Not through
 * `frames`, which would end with an error and lose a status that came and is not read yet.
 */
function write(socket: WebSocket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    socket.send(bytes, () => {
      resolve();
    });
  });
}

/** Fails a connection that nobody answers: the deadline of a long command is no limit for that. */
export function expectOpen({ socket, attempted, fail }: ExecSession, withinMs: number): () => void {
  const timer = setTimeout(() => {
    // Nobody knows what the server has begun meanwhile.
    const details = { maybeDone: true };
    fail(new AppError('unreachable', `${describeAttempt(attempted)}: no answer within ${withinMs} ms`, { details }));
  }, withinMs);
  const stop = (): void => {
    clearTimeout(timer);
  };
  socket.once('open', stop);
  return stop;
}

/**
 * Detects a connection whose other end is gone, by asking whoever has said nothing for a while. Only then: a server that
 * has said everything closes, though much of it is still on its way to us. A word to it would be answered with a reset,
 * and what is on its way would be lost, with the exit code at its end. While a slow sink pauses reading, nothing can be
 * detected.
 */
export function keepAlive(session: ExecSession, everyMs: number): () => void {
  const { socket, attempted } = session;
  let unheard = 0;
  let hasHeard = false;
  const heard = (): void => {
    unheard = 0;
    hasHeard = true;
  };
  const ask = (): void => {
    if (!hasHeard && !socket.isPaused && socket.readyState === WebSocket.OPEN) socket.ping();
  };
  socket.on('pong', heard);
  socket.on('message', heard);
  const timer = setInterval(() => {
    const isSilent = socket.readyState === WebSocket.OPEN && !hasHeard && !socket.isPaused;
    hasHeard = false;
    unheard = isSilent ? unheard + 1 : 0;
    if (unheard > UNHEARD_PINGS) {
      const silence = `no sign of life for ${String(UNHEARD_PINGS * everyMs)} ms`;
      session.fail(new AppError('unreachable', `${describeAttempt(attempted)}: ${silence}`));
      // A process that was busy for long sees what has arrived only after its timers.
    } else if (isSilent) setImmediate(ask);
  }, everyMs);
  return () => {
    clearInterval(timer);
  };
}
