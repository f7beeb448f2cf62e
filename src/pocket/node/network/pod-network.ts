import { createServer, type Server } from 'node:net';

/** A part of the loopback interface that is this cluster's own while it runs. */
export interface PodNetwork {
  /** The first half of its addresses, such as `127.20.`. */
  prefix: string;
  close(): Promise<void>;
}

/** 127.0.0.0 is everybody's; from 128 on are services. */
const FIRST = 16;
const LAST = 127;
/** A kubelet's port. Whoever listens there has the part; it is free again when that process ends, however it ends. */
const LOCK_PORT = 10_250;

/** Takes a part of 127.0.0.0/8 that no other pocket cluster of this machine has. */
export async function takePodNetwork(random: () => number): Promise<PodNetwork | undefined> {
  const count = LAST - FIRST + 1;
  const start = Math.floor(random() * count);
  for (let i = 0; i < count; i += 1) {
    const prefix = `127.${FIRST + ((start + i) % count)}.`;
    const server = await listening(`${prefix}0.1`);
    if (server !== undefined) return { prefix, close: () => closed(server) };
  }
  return undefined;
}

function listening(address: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ host: address, port: LOCK_PORT, exclusive: true }, () => {
      server.unref();
      resolve(server);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
