import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Answer,
  html,
  killed,
  makeAuthority,
  ScriptedServer,
  text as answer,
} from '../../../../test/scripted-server/index.ts';
import { type AppError, NO_LOG } from '../../../base/index.ts';
import { collect, generated, text } from '../samples.ts';
import { openStore, type Store, type StoreLocation } from '../index.ts';
import { PartMemory } from './part-memory.ts';
import { cutIntoParts } from './parts.ts';

const INI = '[default]\naws_access_key_id=AKIA\naws_secret_access_key=hunter2\n';
const fault = (code: string, status: number, headers = {}) =>
  answer(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>because</Message></Error>`, { status, headers });
const listOf = (keys: string[], token?: string) => {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('');
  const more = token === undefined ? '<IsTruncated>false</IsTruncated>' : `<IsTruncated>true</IsTruncated>${token}`;
  return answer(`<?xml version="1.0"?><ListBucketResult>${contents}${more}</ListBucketResult>`);
};
const next = (token: string) => `<NextContinuationToken>${token}</NextContinuationToken>`;

describe('answers of an S3 server', () => {
  let server: ScriptedServer;
  const stores: Store[] = [];
  const open = async (change: Partial<StoreLocation> = {}, config: Record<string, string> = {}): Promise<Store> => {
    const settings = { s3Url: server.url, s3ForcePathStyle: 'true', region: 'r', ...config };
    const location = { provider: 'aws', bucket: 'b', credentialsIni: INI, ...change, config: settings };
    const limits = { callMs: 5000, partMs: 5000, chunkMs: 1000 };
    const store = await openStore(location, { log: NO_LOG, limits });
    stores.push(store);
    return store;
  };

  beforeEach(async () => {
    server = await ScriptedServer.start();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) store.close();
    await server.stop();
  });

  it.each([
    ['NoSuchKey', 404, 'notFound', 'never'],
    ['NoSuchBucket', 404, 'invalidConfig', 'never'],
    ['AccessDenied', 403, 'forbidden', 'never'],
    ['InvalidAccessKeyId', 403, 'unauthenticated', 'never'],
    ['ExpiredToken', 400, 'unauthenticated', 'never'],
    ['SlowDown', 503, 'throttled', 'backoff'],
    ['InternalError', 500, 'serverError', 'backoff'],
    ['SomethingNew', 502, 'serverError', 'backoff'],
    ['SomethingNew', 400, 'invalid', 'never'],
    ['XMinioStorageFull', 507, 'tooLarge', 'never'],
    ['PreconditionFailed', 412, 'conflict', 'never'],
    ['NotImplemented', 501, 'unsupported', 'never'],
  ])('%s (%d) is %s', async (name, status, code, retry) => {
    server.always('*', fault(name, status));
    const error = await (await open()).get('a').catch((thrown: unknown) => thrown as AppError);
    expect(error).toMatchObject({ code, retry });
    expect((error as AppError).message).toBe(
      `get a from bucket "b" at ${server.url}: ${name} (HTTP ${status}): because`,
    );
    expect(server.requests.length).toBe(1);
  });

  it('say when to come back', async () => {
    server.always('*', fault('SlowDown', 503, { 'retry-after': '7' }));
    await expect((await open()).get('a')).rejects.toMatchObject({ code: 'throttled', retry: { afterMs: 7000 } });
  });

  it.each([
    ['a page of a proxy', html('<h1>Bad gateway</h1>', { status: 502 }), 'serverError'],
    ['a page of nothing', html('<h1>default backend - 404</h1>', { status: 404 }), 'badAnswer'],
    ['no answer', killed, 'unreachable'],
    ['no XML', answer('hello'), 'badAnswer'],
    ['half of XML', answer('<?xml version="1.0"?><ListBucketResult><Contents>'), 'badAnswer'],
  ])('that are none (%s) may become better', async (_, reply, code) => {
    server.always('*', reply);
    await expect(collect((await open()).list('a'))).rejects.toMatchObject({ code, retry: 'backoff' });
  });

  it('to a look at an object are believed only when the store answers at all', async () => {
    server.always('*', html('<h1>default backend - 404</h1>', { status: 404 }));
    const store = await open();
    await expect(store.head('a')).rejects.toMatchObject({ code: 'badAnswer', retry: 'backoff' });
    server.always('GET /b/', listOf([])).always('GET /b', listOf([]));
    await expect(store.head('a')).rejects.toMatchObject({ code: 'notFound' });
  });

  it('cannot send a list in circles', async () => {
    server.push(listOf(['p/1'], next('x')), listOf(['p/2'], next('y')), listOf(['p/1'], next('x')));
    await expect(collect((await open()).list('p/'))).rejects.toThrow('the server began again at "x"');
    expect(server.requests.map((one) => one.query.get('continuation-token'))).toEqual([null, 'x', 'y']);
  });

  it('cannot name what was not asked for', async () => {
    server.push(listOf(['p/1', 'other/2']));
    await expect(collect((await open()).list('p/'))).rejects.toThrow('the server named "other/2"');
  });

  it('cannot say that there is more without saying where', async () => {
    server.push(listOf(['p/1'], ' '));
    await expect(collect((await open()).list('p/'))).rejects.toMatchObject({ code: 'badAnswer' });
  });

  it('cannot fill the memory', async () => {
    server.always('*', async ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.write('<?xml version="1.0"?><ListBucketResult>');
      const filler = Buffer.alloc(1024 * 1024, '<Contents></Contents>');
      const closed = once(response, 'close');
      while (!response.destroyed) {
        if (!response.write(filler)) {
          await Promise.race([once(response, 'drain'), closed]);
        }
      }
    });
    await expect(collect((await open()).list('p/'))).rejects.toThrow('bytes of XML');
  });

  it('that are shorter than promised are not taken for whole', async () => {
    server.always('*', ({ response, socket }) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => socket.end());
    });
    const { body } = await (await open()).get('a');
    await expect(collect(body)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('that stop in the middle are not waited for', async () => {
    server.always('*', ({ response }) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
    });
    const { body } = await (await open()).get('a');
    await expect(collect(body)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('without the range that was asked for are refused', async () => {
    server.always('*', answer('0123456789', { headers: { 'content-length': '10' } }));
    await expect((await open()).get('a', { range: { offset: 5 } })).rejects.toThrow('got the whole object');
  });

  it('are asked for with everything that the location says', async () => {
    server.always('*', answer(''));
    const config = { tagging: 'a=b&c=d', serverSideEncryption: 'AES256', checksumAlgorithm: 'SHA256' };
    await (await open({ prefix: 'p' }, config)).put('k', text('x'));
    await (await open({}, { kmsKeyId: 'key-1' })).put('k', text('x'));
    const customerKey = new Uint8Array(32).fill(7);
    const own = await open({ customerKey }, { customerKeyEncryptionSecret: 'secret/key' });
    await own.put('k', text('x'));
    await own.head('k').catch(() => undefined);
    const [first, second, third, fourth] = server.requests;
    expect(first?.url).toBe('/b/p/k?x-id=PutObject');
    expect(first?.headers).toMatchObject({
      'x-amz-tagging': 'a=b&c=d',
      'x-amz-server-side-encryption': 'AES256',
      'x-amz-checksum-sha256': 'LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=',
      'content-length': '1',
    });
    expect(first?.headers).not.toHaveProperty('transfer-encoding');
    expect(second?.headers).toMatchObject({
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
    });
    for (const request of [third, fourth]) {
      expect(request?.headers).toMatchObject({
        'x-amz-server-side-encryption-customer-algorithm': 'AES256',
        'x-amz-server-side-encryption-customer-key': Buffer.from(customerKey).toString('base64'),
      });
    }
  });

  it('come without checksums when none are wanted', async () => {
    server.always('*', answer(''));
    await (await open({}, { checksumAlgorithm: '' })).put('k', text('x'));
    expect(Object.keys(server.requests[0]?.headers ?? {}).filter((name) => name.includes('checksum'))).toEqual([]);
  });

  it('to a part that was sent whole are waited for before its upload is aborted', async () => {
    const stop = new AbortController();
    const order: string[] = [];
    server.always(
      'POST /b/k',
      answer('<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>'),
    );
    server.always('PUT /b/k', async ({ response }) => {
      stop.abort(new Error('canceled'));
      // Like a server that stores what it received: if the upload is aborted before that, it comes back.
      await Promise.race([once(server.http, 'aborting'), new Promise((resolve) => setTimeout(resolve, 100))]);
      order.push('part stored');
      response.writeHead(200, { etag: '"1"' }).end();
    });
    server.always('DELETE /b/k', ({ response }) => {
      server.http.emit('aborting');
      order.push('upload aborted');
      response.writeHead(204).end();
    });
    server.always('GET /b/', answer('<ListMultipartUploadsResult></ListMultipartUploadsResult>'));
    server.always('GET /b', answer('<ListMultipartUploadsResult></ListMultipartUploadsResult>'));
    async function* nine(): AsyncGenerator<Uint8Array> {
      yield* generated(9 * 1024 * 1024);
      await new Promise<never>(() => undefined);
    }
    await expect((await open()).put('k', nine(), { signal: stop.signal })).rejects.toThrow('canceled');
    expect(order.slice(0, 2)).toEqual(['part stored', 'upload aborted']);
  });

  it('that a body was refused are found even when the connection breaks', async () => {
    server.on('PUT /b/k', ({ socket }) => void socket.destroy());
    server.always('*', fault('AccessDenied', 403));
    await expect((await open()).put('k', text('x'))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('that nobody expects keep no connection', async () => {
    const chunked: Answer = ({ response }) => {
      response.write('a body of unknown length');
      response.end();
    };
    server.always('PUT /b/k', answer('a body')).always('GET /b/k', chunked);
    const store = await open();
    for (let at = 0; at < 40; at += 1) {
      await store.put('k', text('x'));
      await expect(store.get('k')).rejects.toThrow('expected a body of known length');
    }
    expect(server.openConnections).toBeLessThan(4);
  });

  it('never show the secret key', async () => {
    server.always('*', fault('SignatureDoesNotMatch', 403));
    const error = await (await open()).put('k', text('x')).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error)).not.toContain('hunter2');
  });
});

describe('an S3 server with a certificate', () => {
  const authority = makeAuthority();
  const get = async (config: Record<string, string>, caCertPem?: string): Promise<unknown> => {
    const server = await ScriptedServer.start({
      tls: authority.issue({ commonName: 'store', hosts: ['127.0.0.1', 'localhost'] }),
    });
    server.always('*', fault('NoSuchKey', 404));
    const settings = { s3Url: server.url, s3ForcePathStyle: 'true', region: 'r', ...config };
    const location = { provider: 'aws', bucket: 'b', credentialsIni: INI, config: settings, caCertPem };
    const store = await openStore(location, { log: NO_LOG });
    try {
      return await store.get('a').catch((thrown: unknown) => (thrown as AppError).code);
    } finally {
      store.close();
      await server.stop();
    }
  };

  it('is not trusted by itself', async () => {
    expect(await get({})).toBe('untrusted');
  });

  it('is trusted by the authority of the location, in either place', async () => {
    expect(await get({}, authority.ca)).toBe('notFound');
    expect(await get({ caCert: authority.ca })).toBe('notFound');
  });

  it('is trusted when the location says not to look', async () => {
    expect(await get({ insecureSkipTLSVerify: 'true' })).toBe('notFound');
  });
});

async function* oneByOne(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

describe('parts', () => {
  it.each([0, 1, 9, 10, 11, 20, 25])('of a source of %d bytes have one size but the last', async (size) => {
    const sizes: number[] = [];
    const bytes: Uint8Array[] = [];
    const memory = new PartMemory(10);
    for await (const part of cutIntoParts(generated(size, 7), memory)) {
      sizes.push(part.bytes.byteLength);
      bytes.push(Buffer.from(part.bytes));
      memory.give(part.bytes);
    }
    expect(sizes.slice(0, -1).every((one) => one === 10)).toBe(true);
    expect(sizes.at(-1)).toBe(size === 0 ? 0 : size % 10 || 10);
    expect(Buffer.concat(bytes)).toEqual(Buffer.from(Array.from({ length: size }, (_, i) => i)));
  });

  it.each([1000, 100_000, 300_000, 900_000])('of a source of %d bytes keep them, however they grew', async (size) => {
    const wanted = Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 251));
    const pieces = Array.from({ length: Math.ceil(size / 10_001) }, (_, at) =>
      wanted.subarray(at * 10_001, (at + 1) * 10_001),
    );
    const got: Uint8Array[] = [];
    const memory = new PartMemory(400_000);
    for await (const { bytes } of cutIntoParts(oneByOne(pieces), memory)) got.push(Buffer.from(bytes));
    expect(got.map(({ length }) => length).slice(0, -1)).toEqual(
      Array<number>(Math.floor(size / 400_000)).fill(400_000),
    );
    expect(Buffer.concat(got).equals(wanted)).toBe(true);
  });

  it('use memory again that was given back, but no more than two pieces of it, and not for ever', () => {
    vi.useFakeTimers();
    const memory = new PartMemory(10);
    const pieces = [memory.take(), memory.take(), memory.take()];
    for (const piece of pieces) memory.give(piece.subarray(0, 3));
    memory.give(Buffer.allocUnsafeSlow(9));
    const again = [memory.take(), memory.take(), memory.take()].map(({ buffer }) => buffer);
    expect(again.map((one) => pieces.findIndex(({ buffer }) => buffer === one))).toEqual([1, 0, -1]);
    memory.give(pieces[0]!);
    vi.advanceTimersByTime(60_000);
    expect(memory.take().buffer).not.toBe(pieces[0]!.buffer);
    vi.useRealTimers();
  });
});
