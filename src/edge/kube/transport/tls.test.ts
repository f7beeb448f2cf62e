import { afterEach, describe, expect, it } from 'vitest';
import { impatientClock } from '../../../../test/kube-transport.ts';
import { json, makeAuthority, ScriptedServer, Streaming } from '../../../../test/scripted-server/index.ts';
import { NO_LOG, type AppError } from '../../../base/index.ts';
import type { TlsSettings } from '../config/connection.ts';
import type { CredentialSource } from '../config/credentials.ts';
import { staticCredential } from '../config/credentials.ts';
import { createTransport } from './undici-transport.ts';
import type { Transport } from './transport.ts';

const authority = makeAuthority();
const stranger = makeAuthority('stranger');
const loopback = authority.issue({ commonName: 'server', hosts: ['127.0.0.1'] });

const open: { close?(): Promise<unknown>; stop?(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await (one.close?.() ?? one.stop?.());
});

async function start(tls: NonNullable<Parameters<typeof ScriptedServer.start>[0]>['tls'] = loopback) {
  const server = await ScriptedServer.start(tls === undefined ? {} : { tls });
  server.always('*', json({ ok: true }));
  open.push(server);
  return server;
}

function connect(
  server: string,
  tls: Partial<TlsSettings>,
  credentials: CredentialSource = staticCredential({}),
): Transport {
  const transport = createTransport(
    { clock: impatientClock, random: () => 0, log: NO_LOG, userAgent: 'headway-test' },
    {
      label: 'context "test" of /kubeconfig',
      server,
      namespace: 'default',
      tls: { insecure: false, ...tls },
      credentials,
      headers: {},
    },
  );
  open.push(transport);
  return transport;
}

async function outcome(transport: Transport): Promise<string | AppError> {
  return transport.request({ method: 'GET', path: '/version' }).then(
    (answer) => answer.text,
    (error: unknown) => error as AppError,
  );
}

const OK = '{"ok":true}';

describe('the server', () => {
  it('is trusted by its authority', async () => {
    const server = await start();
    expect(await outcome(connect(server.url, { ca: authority.ca }))).toBe(OK);
  });

  it.each([
    ['of an unknown authority', loopback, {}, 'not signed by a trusted authority'],
    ['of another authority', loopback, { ca: stranger.ca }, 'not signed by a trusted authority'],
    [
      'for another host',
      authority.issue({ commonName: 'x', hosts: ['kubernetes.default.svc'] }),
      { ca: authority.ca },
      'for another host',
    ],
    [
      'that has expired',
      authority.issue({ commonName: 'x', hosts: ['127.0.0.1'], expired: true }),
      { ca: authority.ca },
      'has expired',
    ],
  ])('with a certificate %s is untrusted, without a retry', async (_name, pair, tls, cause) => {
    const server = await start(pair);
    const error = await outcome(connect(server.url, tls));
    expect(error).toMatchObject({ code: 'untrusted', message: expect.stringContaining(cause) as string });
    expect((error as AppError).message).toContain('context "test" of /kubeconfig');
    expect(server.requests).toHaveLength(0);
  });

  it('is trusted whatever it shows when told so', async () => {
    const server = await start(stranger.issue({ commonName: 'x', expired: true }));
    expect(await outcome(connect(server.url, { insecure: true }))).toBe(OK);
  });

  it('is checked against tls-server-name', async () => {
    const server = await start(authority.issue({ commonName: 'x', hosts: ['kubernetes.default.svc'] }));
    expect(await outcome(connect(server.url, { ca: authority.ca, serverName: 'kubernetes.default.svc' }))).toBe(OK);
  });

  it('that does not speak TLS is named as such', async () => {
    const server = await ScriptedServer.start();
    open.push(server);
    const error = await outcome(connect(server.url.replace('http:', 'https:'), { ca: authority.ca }));
    expect(error).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('does the server speak https?') as string,
    });
  });
});

describe('the client', () => {
  it('shows its certificate', async () => {
    const server = await start({ ...loopback, clientCa: authority.ca });
    const own = authority.issue({ commonName: 'admin' });
    expect(await outcome(connect(server.url, { ca: authority.ca, ...own }))).toBe(OK);
  });

  it('without the certificate a server asks for gets no connection', async () => {
    const server = await start({ ...loopback, clientCa: authority.ca });
    expect(await outcome(connect(server.url, { ca: authority.ca }))).toMatchObject({ code: 'unreachable' });
  });

  it('uses a certificate that a plugin brings, and the next one after it', async () => {
    const server = await start({ ...loopback, clientCa: authority.ca });
    const pairs = [authority.issue({ commonName: 'one' }), authority.issue({ commonName: 'two' })];
    let turn = 0;
    const credentials = { current: () => ({ headers: {}, ...pairs[turn] }), forget: () => false };
    const transport = connect(server.url, { ca: authority.ca }, credentials);
    const script = new Streaming();
    server.on('GET /watch', script.answer);
    const stream = await transport.stream({ method: 'GET', path: '/watch' });
    turn = 1;
    expect(await outcome(transport)).toBe(OK);
    // What started with the old certificate continues with it.
    await script.write('still here');
    await script.end();
    for await (const chunk of stream.body) expect(Buffer.from(chunk).toString()).toBe('still here');
    expect(server.connections).toBe(2);
  });

  it.each([
    ['an authority that is no PEM', { ca: 'nonsense' }, 'certificate authority'],
    ['a certificate without a key', { cert: loopback.cert }, 'no client key'],
    [
      'a key of another certificate',
      { cert: loopback.cert, key: stranger.issue({ commonName: 'x' }).key },
      'cannot be used',
    ],
  ])('refuses %s before anything is sent', (_name, tls, cause) => {
    expect(() => connect('https://127.0.0.1:1', tls)).toThrow(
      expect.objectContaining({ code: 'invalidConfig', message: expect.stringContaining(cause) as string }) as Error,
    );
  });
});
