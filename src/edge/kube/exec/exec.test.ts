import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { impatientClock, transportTo } from '../../../../test/kube-transport.ts';
import { onExec, type ExecPeer } from '../../../../test/scripted-exec.ts';
import { html, makeAuthority, ScriptedServer, silent, status } from '../../../../test/scripted-server/index.ts';
import { exec } from './exec.ts';
import type { ExecOptions } from '../port.ts';
import type { Transport } from '../transport/transport.ts';

const V5 = 'v5.channel.k8s.io';
const V4 = 'v4.channel.k8s.io';
const pod = { namespace: 'shop', name: 'db-0', container: 'main' };
const MIB = 1 << 20;

let server: ScriptedServer;
let transport: Transport;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

function run(options: Partial<ExecOptions> = {}, pingEveryMs?: number): Promise<{ exitCode: number }> {
  const deps = { transport, clock: impatientClock, ...(pingEveryMs === undefined ? {} : { pingEveryMs }) };
  return exec(deps, pod, { command: ['sh', '-c', 'exit "$1" & echo ä'], deadlineMs: 15_000, ...options });
}

/** Passes every message of the client to the callback as channel and bytes. */
function onFrame({ socket }: ExecPeer, take: (channel: number, bytes: Buffer) => void): void {
  socket.on('message', (data) => {
    const frame = data as Buffer;
    take(frame[0] ?? -1, frame.subarray(1));
  });
}

describe.each([V5, V4] as const)('exec over %s', (protocol) => {
  it('gives output by channel and the exit code', async () => {
    let asked: URL | undefined;
    onExec(server, protocol, async ({ url, authorization, send, exit }) => {
      asked = url;
      expect(authorization).toBe('Bearer secret');
      await send(1, '');
      await send(1, 'out');
      await send(2, Uint8Array.of(0, 255));
      await send(1, 'put');
      await exit(3);
    });
    const out: Uint8Array[] = [];
    const err: Uint8Array[] = [];
    const result = await run({ stdout: (bytes) => void out.push(bytes), stderr: (bytes) => void err.push(bytes) });
    expect(result).toEqual({ exitCode: 3 });
    expect(Buffer.concat(out).toString()).toBe('output');
    expect(Buffer.concat(err)).toEqual(Buffer.from([0, 255]));
    expect(asked?.pathname).toBe('/api/v1/namespaces/shop/pods/db-0/exec');
    expect(asked?.searchParams.getAll('command')).toEqual(['sh', '-c', 'exit "$1" & echo ä']);
    expect(asked?.searchParams.get('container')).toBe('main');
    expect(asked?.searchParams.get('stdin')).toBe('false');
  });

  it('drops output nobody wants', async () => {
    onExec(server, protocol, async ({ send, exit }) => {
      await send(1, 'out');
      await exit(0);
    });
    expect(await run()).toEqual({ exitCode: 0 });
  });

  it('calls a connection that broke before the exit code unreachable, never done', async () => {
    onExec(server, protocol, async ({ send, socket }) => {
      await send(1, 'out');
      socket.terminate();
    });
    await expect(run()).rejects.toMatchObject({ code: 'unreachable', details: { maybeDone: true } });
  });

  it('calls a close in peace without an exit code unreachable too', async () => {
    onExec(server, protocol, ({ socket }) => {
      socket.close(1000);
    });
    await expect(run()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('passes on what kept the command from running', async () => {
    onExec(server, protocol, async ({ send, socket }) => {
      const message = 'exec: "nosuch": executable file not found in $PATH';
      await send(3, JSON.stringify({ metadata: {}, status: 'Failure', reason: 'InternalError', message, code: 500 }));
      socket.close(1000);
    });
    await expect(run()).rejects.toMatchObject({
      code: 'serverError',
      message: expect.stringContaining('executable file not found') as string,
    });
  });
});

describe('exec: stdin', () => {
  it('is sent whole and then closed', async () => {
    onExec(server, V5, (peer) => {
      onFrame(peer, (channel, bytes) => {
        if (channel === 0) void peer.send(1, bytes);
        else if (channel === 255 && bytes.equals(Buffer.from([0]))) void peer.exit(0);
      });
    });
    const out: Uint8Array[] = [];
    const stdin = Readable.from([Buffer.from('hello '), Buffer.alloc(100_000, 'x'), Buffer.from(' end')]);
    await run({ stdin, stdout: (bytes) => void out.push(bytes) });
    expect(Buffer.concat(out).toString()).toBe(`hello ${'x'.repeat(100_000)} end`);
  });

  it('works on v4 for a command that knows where its input ends', async () => {
    const channels = new Set<number>();
    onExec(server, V4, (peer) => {
      onFrame(peer, (channel, bytes) => {
        channels.add(channel);
        if (bytes.includes('\n')) void peer.exit(0);
      });
    });
    expect(await run({ stdin: Readable.from([Buffer.from('one line\n')]) })).toEqual({ exitCode: 0 });
    expect([...channels]).toEqual([0]);
  });

  it('cannot be closed on v4, which the deadline then says', async () => {
    onExec(server, V4, () => undefined);
    await expect(run({ stdin: Readable.from([Buffer.from('x')]), deadlineMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('cannot be told that its input ended') as string,
    });
  });

  it('is read only as fast as the command takes it', async () => {
    const release = Promise.withResolvers<undefined>();
    onExec(server, V5, async (peer) => {
      onFrame(peer, (channel) => {
        if (channel === 255) void peer.exit(0);
      });
      peer.socket.pause();
      await release.promise;
      peer.socket.resume();
    });
    let pulled = 0;
    let lastPull = performance.now();
    async function* source(): AsyncGenerator<Uint8Array> {
      for (; pulled < 64; pulled += 1) {
        lastPull = performance.now();
        yield await Promise.resolve(Buffer.alloc(MIB));
      }
    }
    const result = run({ stdin: source() });
    await eventually(() => {
      expect(pulled).toBeGreaterThan(0);
      expect(performance.now() - lastPull).toBeGreaterThan(200);
    });
    expect(pulled).toBeLessThan(32);
    release.resolve(undefined);
    expect(await result).toEqual({ exitCode: 0 });
    expect(pulled).toBe(64);
  });

  it('fails the call when its source fails', async () => {
    const gone = Promise.withResolvers<undefined>();
    onExec(server, V5, ({ socket }) => {
      socket.once('close', () => {
        gone.resolve(undefined);
      });
    });
    const broken = new Error('disk on fire');
    async function* source(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('x'));
      throw broken;
    }
    await expect(run({ stdin: source() })).rejects.toBe(broken);
    await gone.promise;
  });

  it('does not hold up a command that ends first', async () => {
    onExec(server, V5, (peer) => {
      onFrame(peer, () => void peer.exit(7));
    });
    const stdin = new Readable({ read: () => undefined });
    stdin.push('first');
    expect(await run({ stdin })).toEqual({ exitCode: 7 });
  });

  it('does not hide the exit code of a command that ends in the middle of it', async () => {
    onExec(server, V5, (peer) => {
      peer.socket.once('message', () => {
        void peer.send(2, 'the disk is full');
        void peer.exit(7);
      });
    });
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield await Promise.resolve(Buffer.alloc(1000));
    }
    // A sink that takes its time: input is still sent when the end has come.
    const said: string[] = [];
    const stderr = async (bytes: Uint8Array): Promise<void> => {
      said.push(Buffer.from(bytes).toString());
      await setTimeout(20);
    };
    expect(await run({ stdin: endless(), stderr })).toEqual({ exitCode: 7 });
    expect(said[0]).toBe('the disk is full');
  });
});

describe('exec: output', () => {
  it('waits for a slow sink instead of filling memory', async () => {
    const total = 64;
    let sent = 0;
    let lastSent = performance.now();
    onExec(server, V5, async ({ send, exit }) => {
      for (; sent < total * 32; sent += 1) {
        await send(1, Buffer.alloc(MIB / 32));
        lastSent = performance.now();
      }
      await exit(0);
    });
    const release = Promise.withResolvers<undefined>();
    let received = 0;
    const result = run({
      stdout: async (bytes) => {
        received += bytes.length;
        await release.promise;
      },
    });
    await eventually(() => {
      expect(received).toBeGreaterThan(0);
      expect(performance.now() - lastSent).toBeGreaterThan(200);
    });
    expect(received).toBe(MIB / 32);
    expect(sent / 32).toBeLessThan(total / 2);
    release.resolve(undefined);
    expect(await result).toEqual({ exitCode: 0 });
    expect(received).toBe(total * MIB);
  });

  it('is read to its exit code also when the server has said everything and gone long before', async () => {
    onExec(server, V5, async ({ send, socket }) => {
      for (let chunk = 0; chunk < 64; chunk += 1) void send(1, Buffer.alloc(MIB / 32));
      await send(3, '{"status":"Success"}');
      // As Go does it: it waits neither for a closing handshake nor until everything has been read.
      (socket as unknown as { _socket: Socket })._socket.destroySoon();
    });
    let received = 0;
    const stdout = async (bytes: Uint8Array): Promise<void> => {
      received += bytes.length;
      await setTimeout(5);
    };
    expect(await run({ stdout }, 20)).toEqual({ exitCode: 0 });
    expect(received).toBe(2 * MIB);
  });

  it('fails the call when the sink fails', async () => {
    onExec(server, V5, ({ send }) => send(1, 'x'));
    const full = new Error('disk full');
    await expect(run({ stdout: () => Promise.reject(full) })).rejects.toBe(full);
  });

  it('refuses a message that is too large', async () => {
    onExec(server, V5, ({ send }) => send(1, Buffer.alloc(17 * MIB)));
    await expect(run()).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('payload') as string,
    });
  });
});

describe('exec: what can go wrong', () => {
  it.each([
    [status(404, 'NotFound', 'pods "db-0" not found'), 'notFound', 'pods "db-0" not found', false],
    [status(400, 'BadRequest', 'container nosuch is not valid for pod db-0'), 'invalid', 'is not valid for pod', false],
    [status(403, 'Forbidden', 'cannot create resource "pods/exec"'), 'forbidden', 'pods/exec', false],
    [status(429, 'TooManyRequests', 'later'), 'throttled', 'later', false],
    [status(500, 'InternalError', 'error dialing backend'), 'serverError', 'error dialing backend', false],
    [html('<h1>Bad Gateway</h1>', { status: 502 }), 'serverError', 'Bad Gateway', true],
  ])('an ordinary answer instead of the handshake is its error %#', async (answer, code, said, maybeDone) => {
    server.push(answer);
    const message = expect.stringContaining(said) as string;
    await expect(run()).rejects.toMatchObject({ code, message, details: { maybeDone } });
  });

  it('a server that is not there', async () => {
    await server.stop();
    await expect(run()).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('a server that never answers the handshake', async () => {
    server.push(silent);
    const error = { code: 'timeout', details: { maybeDone: false } };
    await expect(run({ deadlineMs: 100 })).rejects.toMatchObject(error);
    await eventually(() => {
      expect(server.openConnections).toBe(0);
    });
  });

  it('a server that never answers the handshake of a command that may take days', async () => {
    server.push(silent);
    const call = { command: ['true'], deadlineMs: 7 * 24 * 3600_000 };
    const running = exec({ transport, clock: impatientClock, openWithinMs: 50 }, pod, call);
    await expect(running).rejects.toMatchObject({ code: 'unreachable', details: { maybeDone: true } });
    await eventually(() => {
      expect(server.openConnections).toBe(0);
    });
  });

  it('a command that takes too long', async () => {
    onExec(server, V5, () => undefined);
    await expect(run({ deadlineMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
      details: { maybeDone: true },
      message: expect.stringContaining('within 100 ms') as string,
    });
    await eventually(() => {
      expect(server.openConnections).toBe(0);
    });
  });

  it('an abort, before and during', async () => {
    const stop = new AbortController();
    const reason = new Error('stop');
    onExec(server, V5, () => {
      stop.abort(reason);
    });
    await expect(run({ signal: stop.signal })).rejects.toBe(reason);
    await expect(run({ signal: stop.signal })).rejects.toBe(reason);
    await eventually(() => {
      expect(server.openConnections).toBe(0);
    });
    expect(server.connections).toBe(1);
  });

  it('a connection whose other end fell silent', async () => {
    onExec(server, V5, ({ socket }) => {
      socket.pause();
    });
    await expect(run({}, 20)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('no sign of life') as string,
    });
  });

  it('a server that forgets to close after the status', async () => {
    onExec(server, V5, async ({ send }) => {
      await send(3, '{"status":"Success"}');
    });
    expect(await run()).toEqual({ exitCode: 0 });
  });

  it('a status that is no JSON', async () => {
    onExec(server, V5, async ({ send, socket }) => {
      await send(3, 'command terminated');
      socket.close(1000);
    });
    await expect(run()).rejects.toMatchObject({ code: 'badAnswer' });
  });
});

describe('exec over TLS', () => {
  it('trusts the authority of the connection and no other', async () => {
    const authority = makeAuthority();
    const tls = authority.issue({ commonName: 'server', hosts: ['127.0.0.1'] });
    const secure = await ScriptedServer.start({ tls });
    onExec(secure, V5, ({ exit }) => exit(0));
    const trusting = transportTo(secure.url, { ca: authority.ca });
    const wary = transportTo(secure.url, { ca: makeAuthority('another').ca });
    const call = { command: ['true'], deadlineMs: 5000 };
    try {
      expect(await exec({ transport: trusting, clock: impatientClock }, pod, call)).toEqual({ exitCode: 0 });
      const refused = exec({ transport: wary, clock: impatientClock }, pod, call);
      await expect(refused).rejects.toMatchObject({ code: 'untrusted' });
    } finally {
      await Promise.all([trusting.close(), wary.close(), secure.stop()]);
    }
  });
});
