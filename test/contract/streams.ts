import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Answer, Api } from './api.ts';

export type Protocol = 'v5.channel.k8s.io' | 'v4.channel.k8s.io';

export interface Ask {
  protocol?: Protocol;
  command?: readonly string[];
  container?: string;
  /** Sent to the process; with v5 its end is sent too, but not on a terminal, which would hang up. */
  input?: string | Buffer;
  tty?: boolean;
  /** Columns and rows, sent before the input. */
  size?: { Width: number; Height: number };
  /** Only these of the streams that the client takes; all that make sense unless given. */
  streams?: readonly ('stdin' | 'stdout' | 'stderr')[];
}

export interface Talk {
  stdout: string;
  stderr: string;
  /** The last word of the server. */
  status: unknown;
  /** The code the connection was closed with. */
  closed: number;
}

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const RESIZE = 4;
const CLOSE = 255;
const CHUNK = 32_768;
const DEADLINE_MS = 20_000;

/** An exec or attach over a websocket to its end; where the server refuses, its answer. */
export async function talk(api: Api, path: string, ask: Ask = {}): Promise<Talk | Answer> {
  const socket = await open(api, path, ask);
  if (!(socket instanceof WebSocket)) return socket;
  const hearing = hear(socket);
  if (ask.size !== undefined) send(socket, RESIZE, Buffer.from(JSON.stringify(ask.size)));
  if (ask.input !== undefined) {
    const input = Buffer.from(ask.input);
    for (let at = 0; at < input.length; at += CHUNK) send(socket, STDIN, input.subarray(at, at + CHUNK));
    if (socket.protocol.startsWith('v5') && !ask.tty) send(socket, CLOSE, Uint8Array.of(STDIN));
  }
  return await hearing;
}

async function open(api: Api, path: string, ask: Ask): Promise<WebSocket | Answer> {
  const { command = [], container, tty = false, input } = ask;
  const streams = ask.streams ?? [...(input === undefined ? [] : ['stdin']), 'stdout', ...(tty ? [] : ['stderr'])];
  const query = [
    ...command.map((word) => ['command', word]),
    ...streams.map((stream) => [stream, 'true']),
    ...(container === undefined ? [] : [['container', container]]),
    ...(tty ? [['tty', 'true']] : []),
  ];
  return await api.connect(path, query, ask.protocol ?? 'v5.channel.k8s.io');
}

function send(socket: WebSocket, channel: number, data: Uint8Array): void {
  socket.send(Buffer.concat([Uint8Array.of(channel), data]), { binary: true });
}

async function hear(socket: WebSocket): Promise<Talk> {
  const heard: Record<number, Buffer[]> = {};
  socket.on('message', (data: Buffer) => {
    const [channel = 0] = data;
    (heard[channel] ??= []).push(data.subarray(1));
  });
  socket.resume();
  const [closed] = (await once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) })) as [number];
  const text = (channel: number) => Buffer.concat(heard[channel] ?? []).toString();
  const status = text(STATUS);
  return {
    stdout: text(STDOUT),
    stderr: text(STDERR),
    status: status === '' ? undefined : JSON.parse(status),
    closed,
  };
}

/** What a server in a pod says to one request, over a port that is forwarded by the protocol of old. */
export async function forwarded(api: Api, path: string, port: number, request: string): Promise<unknown> {
  const socket = await api.connect(path, [['ports', String(port)]], 'v4.channel.k8s.io');
  if (!(socket instanceof WebSocket)) return socket;
  const frames: Record<number, Buffer[]> = {};
  socket.on('message', (data: Buffer) => {
    const [channel = 0] = data;
    (frames[channel] ??= []).push(data.subarray(1));
    // Each of the two channels begins with the number of the port.
    if (channel === STDIN && frames[channel].length === 1) send(socket, STDIN, Buffer.from(request));
    if (channel === STDIN && frames[channel].length > 1) socket.close();
  });
  socket.resume();
  await once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
  const [first, ...rest] = frames[0] ?? [];
  return { port: first?.readUInt16LE(), data: Buffer.concat(rest).toString() };
}
