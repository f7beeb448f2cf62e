import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the range the kernel hands out for outgoing connections and for port 0, so that nobody gets one of these
// by chance, not even while a server of the bed is being restarted on its port.
const FIRST = 20_000;
const LAST = 32_000;
const ATTEMPTS = 200;

/**
 * A free loopback port. Another bed that starts at the same time gets another one: the port's reservation is held
 * until this process ends, the programs have long bound it by then.
 */
export async function reservePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const reservation = await reserve(`port-${port}`);
    if (reservation === undefined) continue;
    const probe = await tryListen({ host: '127.0.0.1', port });
    if (probe === undefined) {
      reservation.close();
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error(`find a free port between ${FIRST} and ${LAST}: ${ATTEMPTS} tries were all in use`);
}

/** Makes a name this process's own until it ends, whatever happens to it; undefined when another process has it. */
export async function reserve(name: string): Promise<Server | undefined> {
  const reservation = await tryListen({ path: `\0headway-bed-${name}` });
  reservation?.unref();
  return reservation;
}

async function tryListen(address: { path: string } | { host: string; port: number }): Promise<Server | undefined> {
  const server = createServer();
  server.listen(address);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
