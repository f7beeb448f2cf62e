import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { messageOf } from '../../../base/index.ts';

type Connect = (port: number) => Promise<Duplex>;

const NORMAL = 1000;

/** Ports over a websocket as clients of JavaScript want them: two channels for each, data and errors. */
export async function carryPorts(socket: WebSocket, ports: readonly number[], connect: Connect): Promise<void> {
  const open: (Duplex | undefined)[] = [];
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const [channel = 0] = data;
    const connection = open[channel >> 1];
    // What is meant for a port that could not be had goes nowhere.
    if (channel % 2 === 1 || data.length < 2 || connection === undefined || connection.destroyed) return;
    if (!connection.write(data.subarray(1))) pause(socket, connection);
  });
  socket.on('close', () => {
    for (const connection of open) connection?.destroy();
  });
  for (const [index, port] of ports.entries()) {
    // Each channel begins with the number of its port.
    for (const channel of [2 * index, 2 * index + 1]) socket.send(Buffer.of(channel, port & 255, port >> 8));
  }
  // Nothing is read before there is somebody to pass it to.
  socket.pause();
  const connecting = ports.map((port) => connect(port));
  const carried = connecting.map(async (connected, index) => {
    try {
      const connection = await connected;
      open[index] = connection;
      // The client may have left meanwhile.
      if (socket.readyState !== socket.OPEN) connection.destroy();
      for await (const chunk of connection as AsyncIterable<Buffer>) {
        if (socket.readyState === socket.OPEN) await sent(socket, Buffer.concat([Buffer.of(2 * index), chunk]));
      }
    } catch (error) {
      if (socket.readyState !== socket.OPEN) return;
      await sent(socket, Buffer.concat([Buffer.of(2 * index + 1), Buffer.from(messageOf(error))]));
    }
  });
  await Promise.allSettled(connecting);
  socket.resume();
  await Promise.all(carried);
  socket.close(NORMAL);
}

function pause(socket: WebSocket, connection: Duplex): void {
  socket.pause();
  void writable(connection).then(() => {
    socket.resume();
  });
}

/** Resolves when more may be written to a connection, or it is gone. */
export function writable(connection: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      connection.off('drain', go);
      connection.off('close', go);
      resolve();
    };
    connection.on('drain', go);
    connection.on('close', go);
    if (connection.destroyed) go();
  });
}

function sent(socket: WebSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.send(bytes, () => {
      resolve();
    });
  });
}
