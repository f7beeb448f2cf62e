import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { messageOf } from '../../../base/index.ts';

type Connect = (port: number) => Promise<Duplex>;

const NORMAL = 1000;

/** Ports over a websocket as clients of JavaScript want them: two channels for each, data and errors. */
export async function carryPorts(socket: WebSocket, ports: readonly number[], connect: Connect): Promise<void> {
  const open: (Duplex | undefined)[] = [];
  const early: Buffer[][] = ports.map(() => []);
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const [channel = 0] = data;
    const index = channel >> 1;
    if (channel % 2 === 1 || data.length < 2) return;
    if (open[index] === undefined) early[index]?.push(Buffer.from(data.subarray(1)));
    else if (!open[index].write(data.subarray(1))) pause(socket, open[index]);
  });
  socket.on('close', () => {
    for (const connection of open) connection?.destroy();
  });
  for (const [index, port] of ports.entries()) {
    // Each channel begins with the number of its port.
    for (const channel of [2 * index, 2 * index + 1]) socket.send(Buffer.of(channel, port & 255, port >> 8));
  }
  await Promise.all(
    ports.map(async (port, index) => {
      try {
        const connection = await connect(port);
        open[index] = connection;
        for (const chunk of early[index] ?? []) connection.write(chunk);
        for await (const chunk of connection as AsyncIterable<Buffer>) {
          if (socket.readyState === socket.OPEN) await sent(socket, Buffer.concat([Buffer.of(2 * index), chunk]));
        }
      } catch (error) {
        if (socket.readyState !== socket.OPEN) return;
        await sent(socket, Buffer.concat([Buffer.of(2 * index + 1), Buffer.from(messageOf(error))]));
      }
    }),
  );
  socket.close(NORMAL);
}

function pause(socket: WebSocket, connection: Duplex): void {
  socket.pause();
  connection.once('drain', () => {
    socket.resume();
  });
}

function sent(socket: WebSocket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.send(bytes, () => {
      resolve();
    });
  });
}
