import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Clock, JsonObject } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { makeCertificates } from '../bed/certificates.ts';
import { run } from '../bed/index.ts';
import { onEveryTarget, type ClientTarget, type Place } from '../client-target.ts';
import { clientFor } from '../kube-client.ts';
import { CONFIG_MAPS, newNamespace, objectOf, REVIEWS, SERVICE_ACCOUNTS } from '../kube-kinds.ts';

interface Variation {
  cluster?: JsonObject;
  user: JsonObject;
  clock?: Clock;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A client of a kubeconfig that says who the user is, and differs from the right one only where told. */
async function clientAs(target: ClientTarget, { cluster = {}, user, clock }: Variation): Promise<KubeClient> {
  const file = join(target.directory, 'variation.kubeconfig');
  const right = { server: target.server, 'certificate-authority-data': base64(target.caPem) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'varied',
    clusters: [{ name: 'c', cluster: { ...right, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'varied', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(file, stringify(config), { mode: 0o600 });
  return await clientFor(file, clock === undefined ? {} : { clock });
}

async function whoAmI(kube: KubeClient): Promise<unknown> {
  // A review is asked, not kept, so it has no name.
  const { apiVersion, kind } = objectOf(REVIEWS, '');
  const review = await kube.create({ type: REVIEWS }, { apiVersion, kind, metadata: {} } as KubeObject);
  return ((review['status'] as JsonObject)['userInfo'] as JsonObject)['username'];
}

const certificateUser = ({ certPem, keyPem }: ClientTarget['clientCert']): JsonObject => ({
  'client-certificate-data': base64(certPem),
  'client-key-data': base64(keyPem),
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

onEveryTarget('the client', (place) => {
  describe('as somebody', () => {
    identitySuite(place);
  });
  describe('with a credential plugin', () => {
    pluginSuite(place);
  });
});

function identitySuite(place: Place): void {
  /** Asks as somebody and says what came of it, and always closes. */
  const ask = async (variation: Variation): Promise<unknown> => {
    const kube = await clientAs(place.target, variation);
    try {
      return await whoAmI(kube);
    } finally {
      await kube.close();
    }
  };
  const admin = (): JsonObject => ({ token: place.target.token });

  it('is known by a token, over a connection trusted by the CA of the kubeconfig', async () => {
    expect(await ask({ user: admin() })).toMatch(/-admin$/);
  });

  it('is known by a client certificate', async () => {
    expect(await ask({ user: certificateUser(place.target.clientCert) })).toMatch(/admin$/);
  });

  it('trusts no other CA, and says which server and why', async () => {
    const stranger = makeCertificates('stranger');
    const cluster = { 'certificate-authority-data': base64(stranger.ca.certPem) };
    await expect(ask({ cluster, user: admin() })).rejects.toMatchObject({
      code: 'untrusted',
      facts: { exitCode: 5 },
      message: expect.stringMatching(
        new RegExp(
          `${place.target.server}.*variation.kubeconfig.*(not signed by a trusted authority|authority that is not trusted)`,
        ),
      ) as string,
    });
  });

  it('trusts no certificate for another host', async () => {
    const cluster = { 'tls-server-name': 'elsewhere.example' };
    await expect(ask({ cluster, user: admin() })).rejects.toMatchObject({
      code: 'untrusted',
      message: expect.stringMatching(/for another host.*elsewhere\.example/) as string,
    });
  });

  it.each([
    ['a wrong token', () => ({ token: 'wrong' })],
    ['a certificate of another CA', () => certificateUser(makeCertificates('stranger').admin)],
  ])('is unauthenticated with %s', async (_, user) => {
    await expect(ask({ user: user() })).rejects.toMatchObject({
      code: 'unauthenticated',
      facts: { exitCode: 4 },
      message: expect.stringContaining('variation.kubeconfig') as string,
    });
  });

  it('says that nobody is there', async () => {
    const server = `https://127.0.0.1:${await closedPort()}`;
    await expect(ask({ cluster: { server }, user: admin() })).rejects.toMatchObject({
      code: 'unreachable',
      facts: { exitCode: 5 },
      message: expect.stringMatching(new RegExp(`cannot reach ${server}.*ECONNREFUSED`)) as string,
    });
  });

  it('reads a token file again when its token is refused', async () => {
    const tokenFile = join(place.target.directory, 'token');
    writeFileSync(tokenFile, 'outdated');
    const kube = await clientAs(place.target, { user: { tokenFile } });
    await expect(whoAmI(kube)).rejects.toMatchObject({ code: 'unauthenticated' });
    writeFileSync(tokenFile, place.target.token);
    expect(await whoAmI(kube)).toMatch(/-admin$/);
    await kube.close();
  });

  place.itNeeds('authorization', 'is forbidden what its rights do not cover, and told so at once', async () => {
    const { target, kube } = place;
    const namespace = await newNamespace(kube);
    await kube.create({ type: SERVICE_ACCOUNTS, namespace }, objectOf(SERVICE_ACCOUNTS, 'guest'));
    const args = ['--kubeconfig', target.kubeconfig, '-n', namespace, 'create', 'token', 'guest'];
    const token = (await run(target.bed!.bin('kubectl'), { args })).trim();
    const guest = await clientAs(target, { user: { token } });
    const name = `system:serviceaccount:${namespace}:guest`;
    expect(await whoAmI(guest)).toBe(name);
    const config = { type: CONFIG_MAPS, namespace };
    const refused = {
      code: 'forbidden',
      facts: { exitCode: 4 },
      retry: 'never',
      message: expect.stringContaining(`User "${name}" cannot`) as string,
    };
    await expect(guest.get({ ...config, name: 'any' })).rejects.toMatchObject(refused);
    await expect(guest.create(config, objectOf(CONFIG_MAPS, 'any'))).rejects.toMatchObject(refused);
    await expect(guest.list(config)[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
    await expect(guest.watch(config)[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
    await guest.close();
  });

  place.itNeeds('authorization', 'acts as somebody else when the kubeconfig says so', async () => {
    const user = { ...admin(), as: 'jane', 'as-groups': ['shop'] };
    const kube = await clientAs(place.target, { user });
    expect(await whoAmI(kube)).toBe('jane');
    await expect(kube.get({ type: CONFIG_MAPS, namespace: 'default', name: 'any' })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await kube.close();
  });
}

/** A credential plugin that counts its runs and prints what the file of that run says, or of the last one. */
function plugin(directory: string, answers: readonly JsonObject[]): { user: JsonObject; runs: () => number } {
  const count = join(directory, 'plugin-runs');
  const script = join(directory, 'plugin.mjs');
  writeFileSync(count, '');
  const credentials = answers.map((status) => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status,
  }));
  writeFileSync(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs';
     const run = readFileSync(${JSON.stringify(count)}, 'utf8').length;
     appendFileSync(${JSON.stringify(count)}, '.');
     const answers = ${JSON.stringify(credentials)};
     console.log(JSON.stringify(answers[Math.min(run, answers.length - 1)]));`,
  );
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: [script],
    interactiveMode: 'Never',
  };
  return { user: { exec }, runs: () => readFileSync(count, 'utf8').length };
}

const HOUR_MS = 3_600_000;

function pluginSuite(place: Place): void {
  it('is run once for many requests, and again when its token has expired', async () => {
    let aheadMs = 0;
    const clock: Clock = { ...systemClock, now: () => Date.now() + aheadMs };
    const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
    const inADay = new Date(Date.now() + 24 * HOUR_MS).toISOString();
    const { token } = place.target;
    const { user, runs } = plugin(place.target.directory, [
      { token, expirationTimestamp: inAnHour },
      { token, expirationTimestamp: inADay },
    ]);
    const kube = await clientAs(place.target, { user, clock });
    const asked = await Promise.all(Array.from({ length: 20 }, () => whoAmI(kube)));
    expect(new Set(asked).size).toBe(1);
    expect(runs()).toBe(1);
    aheadMs = 2 * HOUR_MS;
    await whoAmI(kube);
    await whoAmI(kube);
    expect(runs()).toBe(2);
    await kube.close();
  });

  it('is run again when the server refuses its token, but only once', async () => {
    const { token } = place.target;
    const healed = plugin(place.target.directory, [{ token: 'revoked' }, { token }]);
    const kube = await clientAs(place.target, { user: healed.user });
    expect(await whoAmI(kube)).toMatch(/-admin$/);
    expect(healed.runs()).toBe(2);
    await kube.close();
    const hopeless = plugin(place.target.directory, [{ token: 'revoked' }]);
    const refused = await clientAs(place.target, { user: hopeless.user });
    await expect(whoAmI(refused)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(hopeless.runs()).toBe(2);
    await refused.close();
  });

  it('may bring a client certificate', async () => {
    const { certPem, keyPem } = place.target.clientCert;
    const { user } = plugin(place.target.directory, [{ clientCertificateData: certPem, clientKeyData: keyPem }]);
    const kube = await clientAs(place.target, { user });
    expect(await whoAmI(kube)).toMatch(/admin$/);
    await kube.close();
  });
}
