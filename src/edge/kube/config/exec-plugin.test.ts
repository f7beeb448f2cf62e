import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { impatientClock } from '../../../../test/kube-transport.ts';
import { json, makeAuthority, ScriptedServer, status } from '../../../../test/scripted-server/index.ts';
import { NO_LOG } from '../../../base/index.ts';
import { createTransport } from '../transport/undici-transport.ts';
import type { CredentialSource } from './credentials.ts';
import { loadConnection } from './load-connection.ts';

let dir: string;
let clock: FakeClock;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headway-exec-'));
  clock = new FakeClock(Date.now());
});
// A plugin outlives the request that gave up on it, so it may write its `runs` while its folder is being removed.
afterEach(() => rm(dir, { recursive: true, maxRetries: 10 }));

const never = new AbortController();

/** A kubeconfig whose user runs a script that counts its runs in `runs` and then executes `body`. */
async function connection(body: string, exec: object = {}, server = 'https://10.0.0.1:6443') {
  const script = join(dir, 'plugin.sh');
  await writeFile(script, `#!/bin/sh\necho run >> "$RUNS"\nN=$(wc -l < "$RUNS" | tr -d ' ')\n${body}\n`);
  await chmod(script, 0o755);
  const kubeconfig = join(dir, 'config');
  await writeFile(
    kubeconfig,
    stringify({
      'current-context': 'a',
      clusters: [{ name: 'a', cluster: { server, 'tls-server-name': 'kubernetes' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      users: [
        {
          name: 'a',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: './plugin.sh',
              env: [{ name: 'RUNS', value: join(dir, 'runs') }],
              ...exec,
            },
          },
        },
      ],
    }),
  );
  const env = { PATH: process.env['PATH'], INHERITED: 'yes' };
  return loadConnection({ clock, env, homeDir: dir }, { kubeconfig });
}
async function source(body: string, exec?: object): Promise<CredentialSource> {
  return (await connection(body, exec)).credentials;
}

const credential = (status: string): string =>
  `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":${status}}'`;
const counted = `echo '{"status":{"token":"t'$N'"}}'`;
const tokenOf = async (from: CredentialSource) => (await from.current(never)).headers['authorization'];

describe('an exec plugin', () => {
  it('is run beside its kubeconfig with its arguments and environment, and told what is asked', async () => {
    const out = join(dir, 'out');
    const from = await source(`echo "$@" $INHERITED > ${out}\necho "$KUBERNETES_EXEC_INFO" >> ${out}\n${counted}`, {
      args: ['get', 'token'],
      provideClusterInfo: true,
    });
    expect(await tokenOf(from)).toBe('Bearer t1');
    const [first, info = ''] = (await readFile(out, 'utf8')).split('\n');
    expect(first).toBe('get token yes');
    expect(JSON.parse(info)).toEqual({
      kind: 'ExecCredential',
      apiVersion: 'client.authentication.k8s.io/v1',
      spec: {
        interactive: false,
        cluster: {
          server: 'https://10.0.0.1:6443',
          'insecure-skip-tls-verify': false,
          'tls-server-name': 'kubernetes',
        },
      },
    });
  });

  it('is run once until its token runs out', async () => {
    const expires = new Date(clock.now() + 60_000).toISOString();
    const from = await source(`echo '{"status":{"token":"t'$N'","expirationTimestamp":"${expires}"}}'`);
    expect(await tokenOf(from)).toBe('Bearer t1');
    await clock.advance(49_000);
    expect(await tokenOf(from)).toBe('Bearer t1');
    await clock.advance(2000);
    expect(await tokenOf(from)).toBe('Bearer t2');
  });

  it('is run again once after a 401', async () => {
    const server = await ScriptedServer.start();
    server.push(
      json({}),
      status(401, 'Unauthorized'),
      json({}),
      status(401, 'Unauthorized'),
      status(401, 'Unauthorized'),
    );
    const deps = { clock: impatientClock, random: () => 0, log: NO_LOG, userAgent: 'test' };
    const transport = createTransport(deps, await connection(counted, {}, server.url));
    const get = () => transport.request({ method: 'GET', path: '/' });
    await get();
    await get();
    await expect(get()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(server.requests.map((request) => request.headers.authorization)).toEqual(
      ['t1', 't1', 't2', 't2', 't3'].map((token) => `Bearer ${token}`),
    );
    await transport.close();
    await server.stop();
  });

  it('may bring a client certificate', async () => {
    const pair = makeAuthority().issue({ commonName: 'me' });
    const given = { clientCertificateData: pair.cert, clientKeyData: pair.key };
    const from = await source(`cat <<'END'\n${JSON.stringify({ status: given })}\nEND`);
    expect(await from.current(never)).toEqual({ headers: {}, ...pair });
  });

  it.each([
    {
      does: 'fails',
      body: 'echo "log in first" >&2; exit 3',
      code: 'unauthenticated',
      said: 'ended with code 3: log in first',
    },
    { does: 'prints no JSON', body: 'echo hunter2', code: 'unauthenticated', said: 'printed no JSON' },
    { does: 'gives nothing', body: credential('{}'), code: 'unauthenticated', said: 'neither a token nor a client' },
    {
      does: 'does not exist',
      body: '',
      exec: { command: 'no-such-plugin', installHint: 'install it' },
      code: 'invalidConfig',
      said: 'cannot be run: spawn no-such-plugin ENOENT; hint: install it',
    },
  ])('that $does is an error that names user, file and command', async ({ body, exec, code, said }) => {
    const error: unknown = await tokenOf(await source(body, exec)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, message: expect.stringContaining(said) as string });
    expect(String(error)).toContain(`exec of user "a" in kubeconfig ${join(dir, 'config')}`);
    expect(String(error)).not.toContain('hunter2');
  });

  it('that hangs does not hold a request beyond its signal', async () => {
    const from = await source('exec sleep 3');
    const abort = new AbortController();
    const pending = from.current(abort);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(pending).rejects.toBe(reason);
  });

  it('that hangs is named as what a request waited for', async () => {
    const deps = { clock: impatientClock, random: () => 0, log: NO_LOG, userAgent: 'test' };
    const transport = createTransport(deps, await connection('exec sleep 3'));
    await expect(transport.request({ method: 'GET', path: '/version', deadlineMs: 50 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(
        /^GET \/version: no credential for .* \(context "a" of .*\) within 50 ms$/,
      ) as string,
      details: { maybeDone: false },
    });
    await transport.close();
  });

  it('that hangs, with a process of its own, does not keep the program from ending', async () => {
    await connection('sleep 15');
    const program = `
      import { loadConnection } from ${JSON.stringify(new URL('./load-connection.ts', import.meta.url).href)};
      const deps = { clock: Date, env: process.env, homeDir: '/' };
      const { credentials } = await loadConnection(deps, { kubeconfig: ${JSON.stringify(join(dir, 'config'))} });
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('enough')), 50);
      await credentials.current(abort).catch((error) => console.log(error.message));
    `;
    const run = promisify(execFile);
    const ended = await run(process.execPath, ['--input-type=module', '-e', program], { timeout: 10_000 });
    expect(ended.stdout).toBe('enough\n');
  });
});
