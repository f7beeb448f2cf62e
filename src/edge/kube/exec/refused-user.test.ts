import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { impatientClock, transportTo } from '../../../../test/kube-transport.ts';
import { onExec } from '../../../../test/scripted-exec.ts';
import { ScriptedServer } from '../../../../test/scripted-server/index.ts';
import { AppError } from '../../../base/index.ts';
import { bearer, cachedCredential } from '../config/credentials.ts';
import type { Transport } from '../transport/transport.ts';
import { exec } from './exec.ts';

const pod = { namespace: 'shop', name: 'db-0', container: 'main' };

let server: ScriptedServer;
let transport: Transport;
/** What the user has, one after the other: whenever one was refused. */
let tokens: (string | Error)[];
beforeEach(async () => {
  server = await ScriptedServer.start();
  tokens = ['old', 'new', 'newer'];
  const credentials = cachedCredential(impatientClock, () => {
    const token = tokens.shift() ?? 'none';
    return typeof token === 'string'
      ? Promise.resolve({ credential: { headers: bearer(token) }, until: Infinity })
      : Promise.reject(token);
  });
  transport = transportTo(server.url, { credentials });
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

/** The next handshake gets a 401, and then what comes after is set up. */
function refuseOnce(then: () => void, missing = 0): void {
  server.http.once('upgrade', (_request, socket) => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Unauthorized', code: 401 });
    socket.end(`HTTP/1.1 401 Unauthorized\r\ncontent-length: ${String(body.length + missing)}\r\n\r\n${body}`);
    then();
  });
}

it('a token that has been replaced: the next one is tried, and the command has its whole input', async () => {
  let came = '';
  refuseOnce(() => {
    onExec(server, 'v5.channel.k8s.io', ({ socket, authorization, exit }) => {
      socket.on('message', (data) => {
        const frame = data as Buffer;
        if (frame[0] === 0) came += `${authorization ?? ''}: ${frame.subarray(1).toString()}`;
        else void exit(0);
      });
    });
  });
  const stdin = Readable.from([Buffer.from('all of it')]);
  const call = { command: ['cat'], deadlineMs: 5000, stdin };
  expect(await exec({ transport, clock: impatientClock }, pod, call)).toEqual({ exitCode: 0 });
  expect(came).toBe('Bearer new: all of it');
});

it('a user whom the server does not know, with any token: two attempts', async () => {
  refuseOnce(() => {
    refuseOnce(() => undefined);
  });
  const running = exec({ transport, clock: impatientClock }, pod, { command: ['true'], deadlineMs: 5000 });
  await expect(running).rejects.toMatchObject({ code: 'unauthenticated', details: { maybeDone: false } });
  expect(tokens).toEqual(['newer']);
});

it('a refusal that breaks off is one all the same', async () => {
  refuseOnce(() => {
    onExec(server, 'v5.channel.k8s.io', ({ exit }) => exit(0));
  }, 10);
  const call = { command: ['true'], deadlineMs: 5000 };
  expect(await exec({ transport, clock: impatientClock }, pod, call)).toEqual({ exitCode: 0 });
});

it('nobody gives another token: the command has certainly not begun', async () => {
  tokens = ['old', new AppError('timeout', 'the plugin does not end')];
  refuseOnce(() => undefined);
  const running = exec({ transport, clock: impatientClock }, pod, { command: ['true'], deadlineMs: 5000 });
  await expect(running).rejects.toMatchObject({ code: 'timeout', details: { maybeDone: false } });
});

it('a command that was accepted is sent once, whatever its status says', async () => {
  let sent = 0;
  onExec(server, 'v5.channel.k8s.io', async ({ send, socket }) => {
    sent += 1;
    await send(3, JSON.stringify({ status: 'Failure', reason: 'Unauthorized', code: 401 }));
    socket.close(1000);
  });
  const running = exec({ transport, clock: impatientClock }, pod, { command: ['true'], deadlineMs: 5000 });
  await expect(running).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(sent).toBe(1);
});
