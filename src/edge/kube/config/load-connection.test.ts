import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { FakeClock } from '../../../../test/fake-clock.ts';
import type { AppError } from '../../../base/index.ts';
import { listContexts, loadConnection, type ConnectionChoice } from './load-connection.ts';

let dir: string;
let env: Record<string, string>;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headway-kubeconfig-'));
  env = {};
});
afterEach(() => rm(dir, { recursive: true }));

const deps = () => ({ clock: new FakeClock(), env, homeDir: join(dir, 'home') });
const load = (choice?: ConnectionChoice) => loadConnection(deps(), choice);

async function write(name: string, content: unknown): Promise<string> {
  const file = join(dir, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : stringify(content));
  return file;
}

/** A complete kubeconfig with one cluster, user and context named `one`. */
function config(parts: { cluster?: object; user?: object; context?: object; name?: string } = {}): object {
  const name = parts.name ?? 'one';
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server: 'https://10.0.0.1:6443', ...parts.cluster } }],
    users: [{ name, user: { ...parts.user } }],
    contexts: [{ name, context: { cluster: name, user: name, ...parts.context } }],
  };
}

async function headers(content: object): Promise<Readonly<Record<string, string>>> {
  const { credentials } = await load({ kubeconfig: await write('config', content) });
  return (await credentials.current(new AbortController())).headers;
}

async function failure(choice?: ConnectionChoice): Promise<AppError> {
  return load(choice).then(
    () => expect.unreachable('expected a rejection'),
    (error: unknown) => error as AppError,
  );
}

describe('where a kubeconfig comes from', () => {
  it('is the file that was named, then KUBECONFIG, then the home directory', async () => {
    await write('home/.kube/config', config({ cluster: { server: 'https://home' } }));
    expect((await load()).server).toBe('https://home');
    env['KUBECONFIG'] = await write('listed', config({ cluster: { server: 'https://listed' } }));
    expect((await load()).server).toBe('https://listed');
    const named = await write('named', config({ cluster: { server: 'https://named' } }));
    expect((await load({ kubeconfig: named })).server).toBe('https://named');
  });

  it('says where it looked', async () => {
    expect(await failure()).toMatchObject({
      code: 'invalidConfig',
      message: `no kubeconfig found (looked for ${join(dir, 'home/.kube/config')}) and not running in a pod`,
    });
    expect(await failure({ kubeconfig: join(dir, 'nowhere') })).toMatchObject({
      code: 'invalidConfig',
      message: expect.stringContaining('nowhere: there is no such file') as string,
    });
  });
});

describe('a list of files', () => {
  it('is merged so that the first to name something wins, whole', async () => {
    const first = await write('first', {
      ...config({ user: { token: 'first' } }),
      contexts: [{ name: 'mixed', context: { cluster: 'two', user: 'one' } }],
      'current-context': '',
    });
    const second = await write('second', {
      ...config({ user: { token: 'second', as: 'eve' } }),
      'current-context': 'mixed',
    });
    const third = await write('third', config({ name: 'two', cluster: { server: 'https://two' } }));
    env['KUBECONFIG'] = [first, join(dir, 'missing'), second, third].join(':');
    const connection = await load();
    expect(connection).toMatchObject({ server: 'https://two', headers: {}, label: `context "mixed" of ${first}` });
    expect(await connection.credentials.current(new AbortController())).toEqual({
      headers: { authorization: 'Bearer first' },
    });
    expect(await listContexts(deps())).toEqual(['mixed', 'one', 'two']);
  });

  it('finds relative paths beside the file that names them', async () => {
    await write('a/certs/ca.pem', 'A');
    await write('b/certs/client.pem', 'B');
    await write('b/key.pem', 'K');
    const a = await write('a/config', {
      clusters: [{ name: 'one', cluster: { server: 'https://a', 'certificate-authority': 'certs/ca.pem' } }],
    });
    const b = await write('b/config', {
      ...config({ user: { 'client-certificate': './certs/client.pem', 'client-key': 'key.pem' } }),
      clusters: [],
    });
    env['KUBECONFIG'] = `${a}:${b}`;
    expect((await load()).tls).toEqual({ insecure: false, ca: 'A', cert: 'B', key: 'K' });
  });
});

describe('a context', () => {
  it('can be chosen, and brings its namespace', async () => {
    const kubeconfig = await write('config', {
      ...config(),
      contexts: [
        { name: 'one', context: { cluster: 'one', user: 'one' } },
        { name: 'other', context: { cluster: 'one', namespace: 'shop' } },
      ],
    });
    expect((await load({ kubeconfig })).namespace).toBe('default');
    expect(await load({ kubeconfig, context: 'other' })).toMatchObject({
      namespace: 'shop',
      label: `context "other" of ${kubeconfig}`,
    });
  });

  it.each([{}, { user: '' }, { user: null }])('is anonymous with %o', async (who) => {
    const kubeconfig = await write('config', {
      ...config({ user: { token: 't' } }),
      contexts: [{ name: 'one', context: { cluster: 'one', ...who } }],
    });
    const { credentials } = await load({ kubeconfig });
    expect(credentials.current({ signal: AbortSignal.timeout(1000) })).toEqual({ headers: {} });
  });

  it('brings everything about its cluster', async () => {
    const pem = Buffer.from('PEM').toString('base64');
    const kubeconfig = await write(
      'config',
      config({
        cluster: {
          server: 'https://10.0.0.1:6443/k8s/clusters/c-1/',
          'certificate-authority-data': pem,
          'certificate-authority': 'ignored because the data wins',
          'tls-server-name': 'kubernetes',
          'proxy-url': 'http://proxy:3128',
          'disable-compression': true,
        },
      }),
    );
    expect(await load({ kubeconfig })).toMatchObject({
      server: 'https://10.0.0.1:6443/k8s/clusters/c-1',
      tls: { ca: 'PEM', insecure: false, serverName: 'kubernetes' },
      proxy: 'http://proxy:3128',
      compress: false,
    });
  });

  it('may trust any certificate', async () => {
    const kubeconfig = await write('config', config({ cluster: { 'insecure-skip-tls-verify': true } }));
    expect((await load({ kubeconfig })).tls).toEqual({ insecure: true });
  });

  it.each(['https://me:hunter2@10.0.0.1', 'me:hunter2@10.0.0.1'])('refuses a server that is %s', async (server) => {
    const kubeconfig = await write('config', config({ cluster: { server } }));
    const error: unknown = await load({ kubeconfig }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'invalidConfig' });
    expect(String(error)).not.toContain('hunter2');
  });

  it('takes the proxy of the environment when its cluster names none', async () => {
    env['HTTPS_PROXY'] = 'http://proxy:3128';
    expect((await load({ kubeconfig: await write('config', config()) })).proxy).toBe('http://proxy:3128');
  });
});

describe('a user', () => {
  it.each([
    ['nothing', {}, {}],
    ['a token', { token: 't' }, { authorization: 'Bearer t' }],
    ['name and password', { username: 'me', password: 'pä' }, { authorization: 'Basic bWU6cMOk' }],
  ])('authenticates with %s', async (_name, user, expected) => {
    expect(await headers(config({ user }))).toEqual(expected);
  });

  it('authenticates with a token file, which wins over a token', async () => {
    await write('token', 'from-file\n');
    expect(await headers(config({ user: { tokenFile: 'token', token: 'inline' } }))).toEqual({
      authorization: 'Bearer from-file',
    });
    expect(await headers(config({ user: { tokenFile: 'missing', token: 'inline' } }))).toEqual({
      authorization: 'Bearer inline',
    });
  });

  it('may act as somebody else', async () => {
    const user = { as: 'eve', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { 'Reason/x': ['r'] } };
    const connection = await load({ kubeconfig: await write('config', config({ user })) });
    expect(connection.headers).toEqual({
      'impersonate-user': 'eve',
      'impersonate-uid': '7',
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-reason%2Fx': ['r'],
    });
  });
});

describe('what is wrong with a file is named', () => {
  it.each([
    ['broken YAML', 'users: [\n  token: hunter2\n', 'is not valid YAML: BAD_INDENT at line 3, column 1'],
    ['a list', '- a', 'expected a mapping, got a list'],
    ['another kind', { kind: 'Pod' }, 'expected kind Config, got Pod'],
    ['clusters that are no list', { clusters: {} }, 'clusters must be a list, got a mapping'],
    ['an entry without a name', { users: [{ user: {} }] }, 'an entry of users in kubeconfig'],
    ['a name used twice', { users: [{ name: 'a' }, { name: 'a' }] }, 'user "a" in kubeconfig'],
    ['no current-context', { ...config(), 'current-context': '' }, 'has no current-context'],
    ['a missing current-context', { ...config(), 'current-context': 'x' }, 'has no current-context "x", only: one'],
    ['a context without a cluster', config({ context: { cluster: '' } }), 'names no cluster'],
    ['a missing cluster', config({ context: { cluster: 'x' } }), 'names the cluster "x", which is in no file'],
    ['a missing user', config({ context: { user: 'x' } }), 'names the user "x", which is in no file'],
    ['a missing server', config({ cluster: { server: '' } }), 'is missing, expected a URL'],
    ['a server that is no URL', config({ cluster: { server: 'ftp://x' } }), 'is "ftp://x", expected a URL'],
    [
      'a missing authority',
      config({ cluster: { 'certificate-authority': 'ca.pem' } }),
      'cannot read certificate-authority',
    ],
    ['a missing client key', config({ user: { 'client-key': 'k.pem' } }), 'cannot read client-key'],
    [
      'an authority that is ignored',
      config({ cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'QQ==' } }),
      'both insecure-skip-tls-verify and a certificate-authority',
    ],
    ['a token that is a number', config({ user: { token: 12345 } }), 'token must be a string, got a number'],
    ['two ways to authenticate', config({ user: { token: 'a', username: 'b' } }), 'more than one way to authenticate'],
    ['groups without a user', config({ user: { 'as-groups': ['a'] } }), 'without a user ("as")'],
    ['a plugin without a command', config({ user: { exec: {} } }), 'names no command'],
  ])('%s', async (_name, content, said) => {
    const kubeconfig = await write('config', content);
    const error = await failure({ kubeconfig });
    expect(error).toMatchObject({ code: 'invalidConfig', message: expect.stringContaining(said) as string });
    expect(error.message).toContain(kubeconfig);
    // The parser would have quoted the line with the token.
    expect(JSON.stringify([error.message, String(error.cause)])).not.toMatch(/hunter2|12345/);
  });

  it('a context that does not exist', async () => {
    const kubeconfig = await write('config', config());
    expect((await failure({ kubeconfig, context: 'x' })).message).toBe(
      `kubeconfig ${kubeconfig} has no context "x", only: one`,
    );
  });

  it('a directory in place of the file', async () => {
    expect((await failure({ kubeconfig: dir })).message).toContain(`cannot read kubeconfig ${dir}`);
  });
});
