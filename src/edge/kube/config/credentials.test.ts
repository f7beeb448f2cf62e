import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { cachedCredential, tokenFileCredential, type CredentialSource, type Issued } from './credentials.ts';
import { inClusterConnection } from './in-cluster.ts';
import { loadConnection } from './load-connection.ts';

let dir: string;
let clock: FakeClock;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headway-credentials-'));
  clock = new FakeClock();
});
afterEach(() => rm(dir, { recursive: true }));

const never = new AbortController();
const tokenOf = async (source: CredentialSource) => (await source.current(never)).headers['authorization'];

describe('a token file', () => {
  it('is read again after a minute, and at once after a refusal', async () => {
    const path = join(dir, 'token');
    const source = tokenFileCredential(clock, { path, label: 'test' });
    await writeFile(path, 'one\n');
    expect(await tokenOf(source)).toBe('Bearer one');
    await writeFile(path, 'two\n');
    await clock.advance(59_000);
    expect(await tokenOf(source)).toBe('Bearer one');
    await clock.advance(1000);
    expect(await tokenOf(source)).toBe('Bearer two');
    await writeFile(path, 'three');
    expect(source.forget(await source.current(never))).toBe(true);
    expect(await tokenOf(source)).toBe('Bearer three');
  });

  it('keeps the last token while the file is away or empty', async () => {
    const path = join(dir, 'token');
    const source = tokenFileCredential(clock, { path, label: 'test' });
    await writeFile(path, 'one');
    expect(await tokenOf(source)).toBe('Bearer one');
    await rm(path);
    source.forget(await source.current(never));
    expect(await tokenOf(source)).toBe('Bearer one');
    await writeFile(path, '');
    source.forget(await source.current(never));
    expect(await tokenOf(source)).toBe('Bearer one');
  });

  it('that was never readable is an error', async () => {
    const path = join(dir, 'token');
    const source = tokenFileCredential(clock, { path, label: 'context "a"' });
    await expect(tokenOf(source)).rejects.toMatchObject({
      code: 'invalidConfig',
      message: expect.stringContaining(`cannot read token file ${path} of context "a"`) as string,
    });
    await writeFile(path, ' \n');
    await expect(tokenOf(source)).rejects.toMatchObject({ message: `token file ${path} of context "a" is empty` });
  });
});

describe('a cached credential', () => {
  const issued = (token: string): Issued => ({ credential: { headers: { token } }, until: clock.now() + 1000 });

  it('is issued once for all who wait, and again after a failure', async () => {
    let issues = 0;
    const source = cachedCredential(clock, async () => {
      issues += 1;
      await Promise.resolve();
      if (issues === 1) throw new Error('first');
      return issued(String(issues));
    });
    await expect(source.current(never)).rejects.toThrow('first');
    const all = await Promise.all([source.current(never), source.current(never), source.current(never)]);
    expect(all.map(({ headers }) => headers['token'])).toEqual(['2', '2', '2']);
    expect(source.current(never)).not.toBeInstanceOf(Promise);
    await clock.advance(1000);
    expect((await source.current(never)).headers['token']).toBe('3');
  });

  it('is not forgotten because an older one was refused', async () => {
    let issues = 0;
    const source = cachedCredential(clock, () => Promise.resolve(issued(String((issues += 1)))));
    const old = await source.current(never);
    source.forget(old);
    await source.current(never);
    expect(source.forget(old)).toBe(true);
    expect((await source.current(never)).headers['token']).toBe('2');
  });

  it('outlives the request that asked first', async () => {
    const gate = Promise.withResolvers<Issued>();
    const source = cachedCredential(clock, () => gate.promise);
    const abort = new AbortController();
    const first = source.current(abort);
    const second = source.current(never);
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(source.current(abort)).rejects.toBe(reason);
    gate.resolve(issued('x'));
    expect((await second).headers['token']).toBe('x');
  });
});

describe('in a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

  async function mount(): Promise<string> {
    const mounted = join(dir, 'serviceaccount');
    await mkdir(mounted);
    await writeFile(join(mounted, 'ca.crt'), 'CA');
    await writeFile(join(mounted, 'namespace'), 'velero\n');
    await writeFile(join(mounted, 'token'), 'one');
    return mounted;
  }

  it('the service account is used, and its token rotates', async () => {
    const mounted = await mount();
    const connection = await inClusterConnection({ clock, env }, mounted);
    expect(connection).toMatchObject({
      server: 'https://10.96.0.1:443',
      namespace: 'velero',
      tls: { ca: 'CA', insecure: false },
      compress: false,
    });
    expect(await tokenOf(connection.credentials)).toBe('Bearer one');
    await writeFile(join(mounted, 'token'), 'two');
    await clock.advance(60_000);
    expect(await tokenOf(connection.credentials)).toBe('Bearer two');
  });

  it('an IPv6 address is put in brackets, and a proxy of the environment is used', async () => {
    const mounted = await mount();
    const six = { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1', HTTPS_PROXY: 'http://proxy:1' };
    expect(await inClusterConnection({ clock, env: six }, mounted)).toMatchObject({
      server: 'https://[fd00::1]:443',
      proxy: 'http://proxy:1',
    });
  });

  it('a missing mount is named', async () => {
    const error = loadConnection({ clock, env, homeDir: dir });
    await expect(error).rejects.toMatchObject({
      code: 'invalidConfig',
      message: expect.stringContaining('of the service account of this pod') as string,
    });
  });
});
