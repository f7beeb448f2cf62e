import { createServer, type Server } from 'node:http';
import { connect as connectTo, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { impatientClock } from '../../../../test/kube-transport.ts';
import { json, makeAuthority, ScriptedServer } from '../../../../test/scripted-server/index.ts';
import { NO_LOG, type AppError } from '../../../base/index.ts';
import { staticCredential } from '../config/credentials.ts';
import { createTransport } from './undici-transport.ts';
import type { Transport } from './transport.ts';

// Only the proxy knows this name, so nothing can bypass it.
const HOST = 'cluster.invalid';
const authority = makeAuthority();
let server: ScriptedServer;
let proxy: Server;
let asked: string[];
let transport: Transport;

beforeEach(async () => {
  asked = [];
  server = await ScriptedServer.start({ tls: authority.issue({ commonName: 'x', hosts: [HOST] }) });
  const { port } = new URL(server.url);
  proxy = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? 'anonymous'}`);
    response.statusCode = request.url?.endsWith('/secret') === true ? 403 : 200;
    response.end('{"plain":true}');
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url ?? ''} ${request.headers['proxy-authorization'] ?? 'anonymous'}`);
    if (request.url?.startsWith('forbidden') === true) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const upstream = connectTo(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await transport.close();
  await server.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

function connect(url: string, scheme = 'http'): Transport {
  const { port } = proxy.address() as AddressInfo;
  transport = createTransport(
    { clock: impatientClock, random: () => 0, log: NO_LOG, userAgent: 'headway-test' },
    {
      label: 'test',
      server: url,
      namespace: 'default',
      tls: { insecure: false, ca: authority.ca },
      proxy: `${scheme}://me:secret@127.0.0.1:${String(port)}/`,
      credentials: staticCredential({ authorization: 'Bearer t' }),
      headers: {},
    },
  );
  return transport;
}

const PROXY_AUTH = `Basic ${Buffer.from('me:secret').toString('base64')}`;

describe('a proxy', () => {
  it('is asked for a tunnel, inside which TLS is checked as without it', async () => {
    server.push(json({ ok: true }));
    const answer = await connect(`https://${HOST}:6443`).request({ method: 'GET', path: '/version' });
    expect(answer.text).toBe('{"ok":true}');
    expect(asked).toEqual([`CONNECT ${HOST}:6443 ${PROXY_AUTH}`]);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer t');
  });

  it('carries websockets too', async () => {
    const sockets = new WebSocketServer({ server: server.http });
    sockets.on('connection', (socket, request) => {
      socket.send(request.headers.authorization ?? 'anonymous');
    });
    const target = await connect(`https://${HOST}:6443`).websocketTarget('/exec', { command: 'ls' });
    expect(target.url).toBe(`wss://${HOST}:6443/exec?command=ls`);
    const { agent } = target;
    const socket = new WebSocket(target.url, { headers: target.headers, ...target.tls, ...(agent ? { agent } : {}) });
    const message = await new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('message', (data: Buffer) => {
        resolve(data.toString());
      });
    });
    expect(message).toBe('Bearer t');
    socket.terminate();
    sockets.close();
    expect(asked).toEqual([`CONNECT ${HOST}:6443 ${PROXY_AUTH}`]);
  });

  it('is not passed by for websockets when it is a SOCKS one', async () => {
    const target = connect(`https://${HOST}:6443`, 'socks5').websocketTarget('/exec');
    await expect(target).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('that refuses makes the server unreachable', async () => {
    const error = await connect('https://forbidden.invalid:6443')
      .request({ method: 'GET', path: '/version' })
      .catch((reason: unknown) => reason as AppError);
    expect(error).toMatchObject({ code: 'unreachable', message: expect.stringContaining('403') as string });
  });

  it('never sees the token of a server without TLS', async () => {
    await connect(`http://${HOST}:8080`).request({ method: 'GET', path: '/version' });
    expect(asked).toEqual([`GET http://${HOST}:8080/version anonymous`]);
  });

  it('and whoever is refused for the lack of that token learns that it was not sent', async () => {
    const error = await connect(`http://${HOST}:8080`)
      .request({ method: 'GET', path: '/secret' })
      .catch((reason: unknown) => reason as AppError);
    expect(error).toMatchObject({
      code: 'forbidden',
      message: expect.stringMatching(/; no credentials were sent, because a server reached by http:/) as string,
    });
  });
});
