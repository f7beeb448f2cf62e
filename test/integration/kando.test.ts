import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bed, bed, needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';

const KANDO = join(import.meta.dirname, '../../bin/kando');
const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'headway-kando-'));

interface Ended {
  code: number | null;
  out: Buffer;
  err: string;
}

async function kando(args: readonly string[], input?: AsyncIterable<Uint8Array> | string): Promise<Ended> {
  const child = spawn(KANDO, args, { signal: AbortSignal.timeout(110_000) });
  const out: Buffer[] = [];
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  // One that fails early closes its end.
  child.stdin.on('error', () => undefined);
  Readable.from(input ?? '').pipe(child.stdin);
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  return { code, out: Buffer.concat(out), err };
}

/** Bytes that a seed repeats, without ever being in memory together. */
async function* many(mib: number, seed: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < mib; at += 1) {
    yield createHash('sha256')
      .update(`${seed}${at}`)
      .digest()
      .toString('hex')
      .repeat(MIB / 64)
      .slice(0, MIB) as unknown as Uint8Array;
    await Promise.resolve();
  }
}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('kando', () => {
  const endpoint = join(folder, 'store');
  mkdirSync(endpoint);
  const profile = JSON.stringify({
    Location: { type: 'headway.io/fs', bucket: 'backups', endpoint, prefix: 'pre', region: '' },
    Credential: { Type: 'keyPair', KeyPair: null, Secret: null, KopiaServerSecret: null },
    SkipSSLVerify: false,
  });
  const at = (path: string) => ['--profile', profile, '--path', path];

  it('hands outputs to the phase', async () => {
    const { code, out } = await kando(['output', 'path', 'a "b" \\ <c>\nd']);
    expect([code, out.toString()]).toEqual([
      0,
      '###Phase-output###: {"key":"path","value":"a \\"b\\" \\\\ \\u003cc\\u003e\\nd"}\n',
    ]);
    const bad = await kando(['output', 'not-a-key', 'v']);
    expect([bad.code, bad.out.length, bad.err]).toEqual([
      1,
      0,
      'kando: Key should contain only alphanumeric characters and underscore\n',
    ]);
  });

  it('pushes a stream and a file into a directory, pulls them again, and deletes them', async () => {
    const content = randomBytes(3 * MIB);
    const file = join(folder, 'dump');
    writeFileSync(file, content);
    expect(await kando(['location', 'push', '-', ...at('/db/one')], createReadStream(file))).toMatchObject({
      code: 0,
      err: '',
    });
    expect(await kando(['location', 'push', file, ...at('db/two')])).toMatchObject({ code: 0 });
    expect(readFileSync(join(endpoint, 'backups/pre/db/one'))).toEqual(content);
    const pulled = await kando(['location', 'pull', '-', ...at('db/one')]);
    expect([pulled.code, pulled.out.equals(content)]).toEqual([0, true]);
    const target = join(folder, 'restored');
    expect(await kando(['location', 'pull', target, ...at('db/two')])).toMatchObject({ code: 0 });
    expect(readFileSync(target).equals(content)).toBe(true);
    // A neighbour whose name begins alike stays.
    await kando(['location', 'push', '-', ...at('db2')], 'x');
    expect(await kando(['location', 'delete', ...at('db')])).toMatchObject({ code: 0 });
    expect(readdirSync(join(endpoint, 'backups/pre'))).toEqual(['db2']);
  }, 60_000);

  it('says what is wrong, shows no key, and leaves nothing half done', async () => {
    expect(await kando(['location', 'pull', '-', ...at('none')])).toMatchObject({ code: 3 });
    expect((await kando(['location', 'push', join(folder, 'none'), ...at('x')])).err).toMatch(
      /^kando: cannot read .*none: ENOENT/,
    );
    expect(existsSync(join(endpoint, 'backups/pre/x'))).toBe(false);
    const gcs = JSON.stringify({
      Location: { type: 'gcs', bucket: 'b' },
      Credential: { Type: 'keyPair', KeyPair: { ID: 'i', Secret: 'hidden' } },
    });
    const refused = await kando(['location', 'push', '-', '--profile', gcs, '--path', 'x'], 'data');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/^kando: Unsupported Location type: gcs: /);
    expect(refused.err).not.toContain('hidden');
    const empty = JSON.stringify({ Location: { type: 'headway.io/fs', bucket: 'backups', endpoint } });
    expect((await kando(['location', 'delete', '--profile', empty])).err).toMatch(
      /^kando: Please provide the --path flag/,
    );
    expect((await kando(['location', 'pull', join(folder, 'no/such/folder'), ...at('db2')])).err).toMatch(
      /^kando: cannot write /,
    );
  }, 60_000);

  it('ends at once when it is told to, and leaves no object', async () => {
    const other = profile.replace('"backups"', '"other"');
    const child = spawn(KANDO, ['location', 'push', '-', '--profile', other, '--path', 'endless']);
    child.stdin.on('error', () => undefined);
    child.stdin.write(randomBytes(MIB));
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const files = () =>
      existsSync(join(endpoint, 'other')) ? readdirSync(join(endpoint, 'other'), { recursive: true }) : [];
    await eventually(() => {
      expect(files().length).toBeGreaterThan(0);
    });
    child.kill('SIGTERM');
    expect(await closed).toBe(130);
    expect(files()).not.toContain(join('pre', 'endless'));
  }, 30_000);
});

const need = needsBed({ clusters: 0, s3: true });

describe.skipIf(need.missing)(need.title('kando and a store that speaks S3'), () => {
  let b: Bed;
  let profile: string;

  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
    const { endpoint, region, bucket, accessKey, secretKey } = b.s3!;
    profile = JSON.stringify({
      Location: { type: 's3Compliant', bucket, endpoint, prefix: 'kando', region },
      Credential: {
        Type: 'keyPair',
        KeyPair: { ID: accessKey, Secret: secretKey },
        Secret: null,
        KopiaServerSecret: null,
      },
      SkipSSLVerify: false,
    });
  });
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
  });

  it('pushes what comes in, pulls it again byte for byte, and deletes it', async () => {
    const at = ['--profile', profile, '--path', 'ns/dump.gz'];
    expect(await kando(['location', 'push', '-', ...at], many(40, 's3'))).toMatchObject({ code: 0, err: '' });
    const target = join(folder, 's3-restored');
    expect(await kando(['location', 'pull', target, ...at])).toMatchObject({ code: 0 });
    expect(await digestOf(createReadStream(target))).toBe(await digestOf(many(40, 's3')));
    expect(await kando(['location', 'delete', ...at])).toMatchObject({ code: 0 });
    expect(await kando(['location', 'pull', '-', ...at])).toMatchObject({ code: 3 });
  }, 120_000);

  it('tells a bucket that is not there from keys that are wrong', async () => {
    const wrong = (
      change: (profile: { Location: { bucket: string }; Credential: { KeyPair: { Secret: string } } }) => void,
    ): string => {
      const copy = JSON.parse(profile) as Parameters<typeof change>[0];
      change(copy);
      return JSON.stringify(copy);
    };
    const keys = wrong((copy) => (copy.Credential.KeyPair.Secret = 'WRONGKEY'));
    const denied = await kando(['location', 'push', '-', '--profile', keys, '--path', 'x'], 'data');
    expect([denied.code, denied.err.includes('WRONGKEY')]).toEqual([4, false]);
    const bucket = wrong((copy) => (copy.Location.bucket = 'no-such-bucket'));
    expect((await kando(['location', 'push', '-', '--profile', bucket, '--path', 'x'], 'data')).err).toMatch(
      /no-such-bucket/,
    );
  }, 60_000);
});
