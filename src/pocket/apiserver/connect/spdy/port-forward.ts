import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { messageOf } from '../../../../base/index.ts';
import { writable } from '../port-channels.ts';
import { controlFrame, dataFrame, FLAG_LAST, FrameReader, streamOf, TYPE, type Frame } from './frames.ts';
import { HeaderReader, HeaderWriter } from './headers.ts';

/** What kubectl asks for: SPDY, inside of a websocket. */
export const TUNNEL_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

type Connect = (port: number) => Promise<Duplex>;

/** One of the two streams of a connection; the other has its errors. */
interface Stream {
  id: number;
  isData: boolean;
  requestId: string;
  /** Undefined where it could not be had. */
  connection: Promise<Duplex | undefined>;
}

/** Of the head of a frame that opens a stream. */
const OPEN_HEAD = 10;
const REPLY_HEAD = 4;
const MAX_STREAMS = 1000;
/** What has come and could not be passed on yet; beyond it nothing more is read. */
const MAX_WAITING = 1024 * 1024;
const GOING_AWAY = 1001;
const PROTOCOL_ERROR = 1002;

/** Forwards ports for kubectl: each connection is a pair of streams that it opens. */
export class PortTunnel {
  readonly #socket: WebSocket;
  readonly #connect: Connect;
  readonly #frames = new FrameReader();
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  readonly #streams = new Map<number, Stream>();
  /** Frames are worked off one after the other: the headers of each build on those before. */
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(socket: WebSocket, connect: Connect) {
    this.#socket = socket;
    this.#connect = connect;
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      this.#receive(data);
    });
    socket.on('close', () => {
      for (const id of [...this.#streams.keys()]) this.#drop(id);
    });
  }

  #receive(data: Buffer): void {
    this.#waiting += data.length;
    if (this.#waiting > MAX_WAITING) this.#socket.pause();
    this.#work = this.#work
      .then(async () => {
        for (const frame of this.#frames.read(data)) await this.#handle(frame);
      })
      .catch(() => {
        this.#socket.close(PROTOCOL_ERROR);
      })
      .then(() => {
        this.#waiting -= data.length;
        if (this.#waiting <= MAX_WAITING) this.#socket.resume();
      });
  }

  async #handle(frame: Frame): Promise<void> {
    if (frame.kind === 'data') {
      await this.#pass(frame.stream, frame.data, frame.isLast);
      return;
    }
    switch (frame.type) {
      case TYPE.open:
        await this.#open(frame.payload, (frame.flags & FLAG_LAST) !== 0);
        break;
      case TYPE.reset:
        this.#drop(streamOf(frame.payload));
        break;
      case TYPE.ping:
        this.#send(controlFrame(TYPE.ping, frame.payload));
        break;
      case TYPE.goAway:
        this.#socket.close(GOING_AWAY);
        break;
      default:
      // Settings and windows: we send no faster than the socket takes it, and read all there is.
    }
  }

  async #open(payload: Buffer, isEnded: boolean): Promise<void> {
    const id = streamOf(payload);
    const headers = await this.#reader.read(payload.subarray(OPEN_HEAD));
    if (this.#streams.size >= MAX_STREAMS) throw new RangeError('too many streams');
    const port = Number(headers.get('port') ?? '');
    const isData = headers.get('streamtype') === 'data';
    const requestId = headers.get('requestid') ?? '';
    const connecting = isData ? this.#connect(port) : Promise.resolve(undefined);
    const stream: Stream = { id, isData, requestId, connection: connecting.catch(() => undefined) };
    this.#streams.set(id, stream);
    const head = Buffer.alloc(REPLY_HEAD);
    head.writeUInt32BE(id);
    this.#send(controlFrame(TYPE.reply, Buffer.concat([head, await this.#writer.empty()])));
    if (!isData) return;
    void this.#forward(stream, connecting);
    if (isEnded) (await stream.connection)?.end();
  }

  async #forward(stream: Stream, connecting: Promise<Duplex | undefined>): Promise<void> {
    try {
      const connection = await connecting;
      // The client may have left meanwhile.
      if (this.#socket.readyState !== this.#socket.OPEN) connection?.destroy();
      for await (const chunk of (connection ?? []) as AsyncIterable<Buffer>)
        await this.#sendAll(dataFrame(stream.id, chunk, false));
    } catch (error) {
      const errors = [...this.#streams.values()].find((one) => !one.isData && one.requestId === stream.requestId);
      if (errors !== undefined) this.#send(dataFrame(errors.id, Buffer.from(messageOf(error)), false));
    }
    this.#end(stream);
  }

  /** Both streams of the pair are over. */
  #end(stream: Stream): void {
    for (const one of this.#streams.values()) {
      if (one.requestId !== stream.requestId) continue;
      this.#send(dataFrame(one.id, Buffer.alloc(0), true));
      this.#streams.delete(one.id);
    }
  }

  async #pass(id: number, data: Buffer, isLast: boolean): Promise<void> {
    const connection = await this.#streams.get(id)?.connection;
    if (connection === undefined || connection.destroyed) return;
    if (data.length > 0 && !connection.write(data)) await writable(connection);
    if (isLast) connection.end();
  }

  #drop(id: number): void {
    void this.#streams.get(id)?.connection.then((connection) => connection?.destroy());
    this.#streams.delete(id);
  }

  #send(bytes: Buffer): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(bytes);
  }

  #sendAll(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.send(bytes, () => {
        resolve();
      });
    });
  }
}
