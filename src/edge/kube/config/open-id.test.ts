import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { html, json, killed, makeAuthority, ScriptedServer } from '../../../../test/scripted-server/index.ts';
import type { CredentialSource } from './credentials.ts';
import { loadConnection } from './load-connection.ts';

let dir: string;
let clock: FakeClock;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headway-oidc-'));
  clock = new FakeClock(Date.now());
});
afterEach(() => rm(dir, { recursive: true }));

const never = new AbortController();

function idToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'ES256' })}.${part(claims)}.${Buffer.alloc(64).toString('base64url')}`;
}

async function source(provider: object): Promise<CredentialSource> {
  const kubeconfig = join(dir, 'config');
  await writeFile(
    kubeconfig,
    stringify({
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server: 'https://10.0.0.1:6443' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      users: [{ name: 'a', user: { 'auth-provider': provider } }],
    }),
  );
  return (await loadConnection({ clock, env: {}, homeDir: dir }, { kubeconfig })).credentials;
}
const tokenOf = async (from: CredentialSource) => (await from.current(never)).headers['authorization'];

const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

describe('an OpenID Connect user', () => {
  it('gives an id-token that is still good', async () => {
    const token = idToken({ exp: seconds(3600) });
    const from = await source({ name: 'oidc', config: { 'id-token': token } });
    expect(await tokenOf(from)).toBe(`Bearer ${token}`);
  });

  it('refreshes one that ran out, once, and remembers a new refresh-token', async () => {
    const authority = makeAuthority();
    const issuer = await ScriptedServer.start({ tls: authority.issue({ commonName: 'idp', hosts: ['127.0.0.1'] }) });
    const about = (more: object) => json({ issuer: issuer.url, token_endpoint: `${issuer.url}/token`, ...more });
    const first = idToken({ exp: seconds(600) });
    const second = idToken({ exp: seconds(1200) });
    issuer
      .on('GET /realm/.well-known/openid-configuration', about({}))
      .on(
        'GET /realm/.well-known/openid-configuration',
        about({ token_endpoint_auth_methods_supported: ['client_secret_post'] }),
      )
      .on('POST /token', json({ id_token: first, refresh_token: 'r2' }), json({ id_token: second }));
    await writeFile(join(dir, 'idp.pem'), authority.ca);
    const from = await source({
      name: 'oidc',
      config: {
        'id-token': idToken({ exp: seconds(-10) }),
        'refresh-token': 'r1',
        'client-id': 'c',
        'client-secret': 's:',
        'idp-issuer-url': `${issuer.url}/realm/`,
        'idp-certificate-authority': 'idp.pem',
      },
    });
    expect(await tokenOf(from)).toBe(`Bearer ${first}`);
    expect(await tokenOf(from)).toBe(`Bearer ${first}`);
    await clock.advance(600_000);
    expect(await tokenOf(from)).toBe(`Bearer ${second}`);
    const posts = issuer.requests.filter(({ method }) => method === 'POST');
    expect(posts.map(({ body }) => body)).toEqual([
      'grant_type=refresh_token&refresh_token=r1',
      'grant_type=refresh_token&refresh_token=r2&client_id=c&client_secret=s%3A',
    ]);
    expect(posts.map(({ headers }) => headers.authorization)).toEqual([`Basic ${btoa('c:s%3A')}`, undefined]);
    await issuer.stop();
  });

  it.each([
    ['a refusal', json({ error: 'invalid_grant' }, { status: 400 }), 'answered 400: invalid_grant'],
    ['a page', html('<p>hunter2</p>'), 'the answer is not JSON'],
    ['a broken connection', killed, 'other side closed'],
    ['no endpoint', json({}), 'names no token_endpoint'],
  ])('that meets %s says so and names user and file', async (_name, answer, said) => {
    const issuer = await ScriptedServer.start();
    issuer.push(answer);
    const config = { 'refresh-token': 'r', 'client-id': 'c', 'idp-issuer-url': issuer.url };
    const error: unknown = await tokenOf(await source({ name: 'oidc', config })).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unauthenticated', message: expect.stringContaining(said) as string });
    expect(String(error)).toContain(`auth-provider of user "a" in kubeconfig ${join(dir, 'config')}`);
    expect(String(error)).not.toContain('hunter2');
    await issuer.stop();
  });

  it('that has nothing to refresh with says what is needed', async () => {
    const expired = { 'id-token': 'no.jwt' };
    await expect(source({ name: 'oidc', config: expired }).then(tokenOf)).rejects.toMatchObject({
      code: 'unauthenticated',
      message: expect.stringContaining('needs refresh-token, client-id and idp-issuer-url') as string,
    });
    await expect(source({ name: 'gcp' })).rejects.toMatchObject({
      code: 'invalidConfig',
      message: expect.stringContaining('expected the provider "oidc", got "gcp"; others use exec') as string,
    });
  });
});

describe('client-node', () => {
  it('is not loaded with this folder', async () => {
    const index = new URL('../index.ts', import.meta.url).href;
    const script = `
      import module from 'node:module';
      const seen = [];
      module.registerHooks({ resolve(name, context, next) { seen.push(name); return next(name, context); } });
      await import(${JSON.stringify(index)});
      console.log(JSON.stringify(seen));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const seen = JSON.parse(stdout) as string[];
    expect(seen).toContain('undici');
    expect(seen.filter((name) => name.includes('client-node'))).toEqual([]);
  });
});
