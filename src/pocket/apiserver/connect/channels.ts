import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import { drained } from './drained.ts';
import type { Talk, TalkEnd } from './ports.ts';

/** The first byte of every message says which stream the rest belongs to. */
const CHANNEL = { input: 0, output: 1, errors: 2, status: 3, size: 4, close: 255 } as const;

/** Best first. Only the first has a message for the end of the input. */
export const CHANNEL_PROTOCOLS = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

export interface TalkStreams {
  output: boolean;
  errors: boolean;
  protocol: string;
  /** For the words of a failure that clients of old get. */
  command: readonly string[];
}

/** What waits in memory for a slow client; beyond it the process waits. */
const MAX_UNSENT = 1024 * 1024;
const MAX_SIZE = 65_535;
const NORMAL = 1000;

/** Carries a talk over a websocket to its end, and says how it ended. */
export async function carryTalk(socket: WebSocket, talk: Talk, streams: TalkStreams): Promise<void> {
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    receive(socket, talk, data);
  });
  socket.on('close', () => {
    talk.leave();
  });
  const flows = [
    flow(socket, streams.output ? CHANNEL.output : undefined, talk.output),
    flow(socket, streams.errors ? CHANNEL.errors : undefined, talk.errors),
  ];
  const end = await talk.ended.catch((error: unknown): TalkEnd => ({ code: 0, failure: String(error) }));
  await drained([talk.output, talk.errors], Promise.all(flows));
  if (socket.readyState !== socket.OPEN) return;
  const status = Buffer.from(JSON.stringify(statusOf(end, streams.protocol, streams.command)));
  socket.send(Buffer.concat([Buffer.of(CHANNEL.status), status]));
  socket.close(NORMAL);
}

function receive(socket: WebSocket, { input, resize }: Talk, data: Buffer): void {
  const [channel] = data;
  const rest = data.subarray(1);
  if (channel === CHANNEL.input && input !== undefined && rest.length > 0) {
    if (input.writableEnded || input.destroyed || input.write(rest)) return;
    // No more than the process reads.
    socket.pause();
    const go = (): void => {
      input.off('drain', go);
      input.off('close', go);
      socket.resume();
    };
    input.on('drain', go);
    input.on('close', go);
  } else if (channel === CHANNEL.close && rest[0] === CHANNEL.input) input?.end();
  else if (channel === CHANNEL.size) {
    const size = sizeOf(rest);
    if (size !== undefined) resize(size.columns, size.rows);
  }
}

function sizeOf(bytes: Buffer): { columns: number; rows: number } | undefined {
  try {
    const { Width: columns, Height: rows } = JSON.parse(bytes.toString()) as { Width: unknown; Height: unknown };
    const isSize = (value: unknown): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_SIZE;
    return isSize(columns) && isSize(rows) ? { columns, rows } : undefined;
  } catch {
    return undefined; // No size, so none is set.
  }
}

/** Without a channel it is read and forgotten, so that the process does not wait. */
async function flow(socket: WebSocket, channel: number | undefined, stream: Readable | undefined): Promise<void> {
  try {
    for await (const chunk of (stream ?? []) as AsyncIterable<Buffer>) {
      if (channel === undefined || socket.readyState !== socket.OPEN) continue;
      const sent = new Promise<void>((resolve) => {
        socket.send(Buffer.concat([Buffer.of(channel), chunk]), () => {
          resolve();
        });
      });
      if (socket.bufferedAmount > MAX_UNSENT) await sent;
    }
  } catch {
    // The process has ended, or nobody waits for the rest.
  }
}

function statusOf({ code, failure }: TalkEnd, protocol: string, command: readonly string[]): object {
  if (failure !== undefined) {
    const message = `Internal error occurred: error executing command in container: ${failure}`;
    const details = { causes: [{ message: failure }] };
    return { metadata: {}, status: 'Failure', message, reason: 'InternalError', details, code: 500 };
  }
  if (code === 0) return { metadata: {}, status: 'Success' };
  const how = protocol.startsWith('v5')
    ? `command terminated with exit code ${code}`
    : `error executing command [${command.join(' ')}], exit code ${code}`;
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${how}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}
