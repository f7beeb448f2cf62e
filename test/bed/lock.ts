import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface LockOptions {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called once, with the holder's pid, when somebody else has the lock. */
  onWait?: (holderPid: string) => void;
}

/**
 * Runs `work` while no other process on this machine holds the lock of that name. The lock is an abstract Unix
 * socket: the kernel frees it with its holder, so a killed holder leaves no stale lock behind, and a connection to
 * it tells who holds it and ends when it is free.
 */
export async function withLock<T>(name: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const address = `\0headway-bed-${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const release = await acquire(address, signal, options.onWait);
  try {
    return await work();
  } finally {
    await release();
  }
}

type Release = () => Promise<void>;

async function acquire(address: string, signal: AbortSignal, onWait: LockOptions['onWait']): Promise<Release> {
  let told = false;
  for (;;) {
    signal.throwIfAborted();
    const release = await listen(address);
    if (release !== undefined) return release;
    const holder = await waitForHolder(address, signal, (pid) => {
      if (!told) onWait?.(pid);
      told = true;
    });
    // The holder was gone before it could answer: somebody else is taking the lock this instant.
    if (holder === undefined) await sleep(20, undefined, { signal });
  }
}

async function listen(address: string): Promise<Release | undefined> {
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => waiting.delete(socket));
    socket.write(`${process.pid}\n`);
  });
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of waiting) socket.destroy();
    await closed;
  };
}

/** Resolves when the holder lets go, with its pid if it said it. */
async function waitForHolder(address: string, signal: AbortSignal, onHolder: (pid: string) => void) {
  const socket = connect(address);
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  let holder: string | undefined;
  socket.on('data', (chunk) => {
    holder = chunk.toString().trim();
    onHolder(holder);
  });
  // A refused connection says the same as a closed one: the holder is gone.
  socket.on('error', () => socket.destroy());
  await new Promise((resolve) => socket.once('close', resolve));
  signal.removeEventListener('abort', abort);
  return holder;
}
