import { readdirSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LOG, type AppError } from '../../src/base/index.ts';
import { describeStore } from '../../src/edge/store/conformance.ts';
import {
  abortUploads,
  exists,
  getWhole,
  openStore,
  type Store,
  type StoreLocation,
  withPatience,
} from '../../src/edge/store/index.ts';
import { collect, digest, generated, text } from '../../src/edge/store/samples.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { type Bed, bed, needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';

const MIB = 1024 * 1024;
const LONG_MIB = process.env['HEADWAY_CAMPAIGN'] === '1' ? 1024 : 100;
const need = needsBed({ clusters: 0, s3: true });

describe.skipIf(need.missing)(need.title('the store in S3'), () => {
  let b: Bed;
  let way: Way;
  const stores: Store[] = [];

  const location = (change: Partial<StoreLocation> = {}, config: Record<string, string> = {}): StoreLocation => {
    const { endpoint, region, bucket, accessKey, secretKey } = b.s3!;
    return {
      provider: 'aws',
      bucket,
      config: { region, s3Url: endpoint, s3ForcePathStyle: 'true', ...config },
      credentialsIni: `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n`,
      ...change,
    };
  };
  const open = async (where: StoreLocation): Promise<Store> => {
    const limits = { callMs: 10_000, partMs: 30_000, chunkMs: 5000 };
    const store = await openStore(where, { log: NO_LOG, limits });
    stores.push(store);
    return store;
  };
  const throughProxy = () => open(location({ prefix: 'faults' }, { s3Url: way.url }));

  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
    way = await openWay(b.s3!.endpoint);
  });
  afterAll(async () => {
    for (const store of stores) store.close();
    await way.close();
    await b[Symbol.asyncDispose]();
  });

  describeStore(async () => ({ store: await open(location({ prefix: '/some/prefix/' })), longBytes: LONG_MIB * MIB }));

  describe('settings', () => {
    it.each(['', 'CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'])(
      'work with checksums %j',
      async (checksumAlgorithm) => {
        const store = await open(location({ prefix: `sums-${checksumAlgorithm}` }, { checksumAlgorithm }));
        for (const size of [10, 9 * MIB]) {
          await store.put('a', generated(size));
          expect(await digest((await store.get('a')).body)).toBe(await digest(generated(size)));
        }
      },
    );

    it('keep locations of one bucket apart', async () => {
      const [one, two] = [await open(location({ prefix: 'one' })), await open(location({ prefix: 'one-more' }))];
      await one.put('a', text('1'));
      expect(await collect(two.list(''))).toEqual([]);
      expect((await collect(one.list(''))).map((object) => object.key)).toEqual(['a']);
    });

    it('make links that anybody can read with', async () => {
      const store = await open(location({ prefix: 'links' }));
      await store.put("it's a (key)/ü+1", text('linked'));
      const url = await store.downloadUrl("it's a (key)/ü+1", 60);
      const answer = await fetch(url!);
      expect([answer.status, await answer.text()]).toEqual([200, 'linked']);
      const forged = await fetch(url!.replace(/X-Amz-Expires=60/, 'X-Amz-Expires=99'));
      expect(forged.status).toBe(403);
      await forged.body?.cancel();
    });

    it('make links with the public address', async () => {
      const store = await open(location({ prefix: 'links' }, { publicUrl: 'https://backups.example.com' }));
      expect(await store.downloadUrl('a', 60)).toMatch(/^https:\/\/backups\.example\.com\/headway\/links\/a\?/);
    });

    it('with wrong keys are refused, and nothing is tried again', async () => {
      const wrong = [
        `[default]\naws_access_key_id=${b.s3!.accessKey}\naws_secret_access_key=wrong\n`,
        '[default]\naws_access_key_id=nobody\naws_secret_access_key=wrong\n',
      ];
      for (const credentialsIni of wrong) {
        const store = withPatience(await open(location({ credentialsIni })), { clock: systemClock, log: NO_LOG });
        const codes = ['unauthenticated', 'forbidden'];
        const calls = [
          () => store.get('a'),
          () => exists(store, 'a'),
          () => store.put('a', text('x')),
          () => store.delete('a'),
          () => collect(store.list('')),
        ];
        for (const call of calls) {
          const error = await call().then(
            () => undefined,
            (thrown: unknown) => thrown as AppError,
          );
          expect(codes).toContain(error?.code);
          expect(error?.message).not.toContain('wrong');
        }
      }
    });

    it('with a bucket that does not exist say so', async () => {
      const store = await open(location({ bucket: 'no-such-bucket' }));
      await expect(collect(store.list(''))).rejects.toMatchObject({ code: 'invalidConfig' });
      await expect(store.put('a', text('x'))).rejects.toMatchObject({ code: 'invalidConfig' });
      await expect(exists(store, 'a')).rejects.toMatchObject({ code: 'invalidConfig' });
    });
  });

  describe('a server that goes away', () => {
    it('in the middle of a put is a transient error', async () => {
      const store = await throughProxy();
      async function* source(): AsyncGenerator<Uint8Array> {
        yield* generated(20 * MIB);
        way.cut();
        yield* generated(20 * MIB);
      }
      await expect(store.put('cut', source())).rejects.toMatchObject({ code: 'unreachable', retry: 'backoff' });
      way.mend();
      expect(await exists(store, 'cut')).toBe(false);
      // It could not be told that the upload is over; the next attempt tells it.
      expect(await abortUploads(store, 'cut')).toBe(1);
      expect(await collect(store.listUploads(''))).toEqual([]);
    });

    it('in the middle of a get is a transient error', async () => {
      const store = await throughProxy();
      await store.put('big', generated(30 * MIB));
      const read = async () => {
        for await (const _ of (await store.get('big')).body) way.cut();
      };
      await expect(read()).rejects.toMatchObject({ code: 'unreachable', retry: 'backoff' });
      await expect(store.head('big')).rejects.toMatchObject({ code: 'unreachable' });
      way.mend();
    });

    it('and says nothing is a timeout', async () => {
      const store = await openStore(location({ prefix: 'faults' }, { s3Url: way.url }), {
        log: NO_LOG,
        limits: { callMs: 200, partMs: 200, chunkMs: 200 },
      });
      stores.push(store);
      await (await throughProxy()).put('a', generated(30 * MIB));
      const { body } = await store.get('a');
      way.hold();
      await expect(digest(body)).rejects.toMatchObject({ code: 'timeout' });
      await expect(store.head('a')).rejects.toMatchObject({ code: 'timeout' });
      await expect(store.put('b', text('x'))).rejects.toMatchObject({ code: 'timeout' });
      way.cut();
      way.mend();
    });

    it('delays a patient put whose source cannot start over, and says why', async () => {
      const told: string[] = [];
      const store = withPatience(await throughProxy(), {
        clock: systemClock,
        log: NO_LOG,
        backoff: { baseMs: 50, maxMs: 200 },
        onWaiting: (cause) => told.push(cause.code),
        onResumed: () => told.push('resumed'),
      });
      let reads = 0;
      async function* once(): AsyncGenerator<Uint8Array> {
        reads += 1;
        for await (const chunk of generated(64 * MIB)) {
          yield chunk;
          if (!way.isCut && told.length === 0) {
            way.cut();
            void eventually(() => {
              expect(told.length).toBeGreaterThan(3);
            }).then(() => {
              way.mend();
            });
          }
        }
      }
      const progress: number[] = [];
      await store.put('patient', once(), { onProgress: (bytes) => progress.push(bytes) });
      expect(reads).toBe(1);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
      expect(progress.at(-1)).toBe(64 * MIB);
      expect(told).toContain('unreachable');
      expect(told.at(-1)).toBe('resumed');
      expect(await digest((await store.get('patient')).body)).toBe(await digest(generated(64 * MIB)));
      expect(await collect(store.listUploads(''))).toEqual([]);
    });

    it('delays a patient get, which goes on at the same byte', async () => {
      const told: string[] = [];
      const store = withPatience(await throughProxy(), {
        clock: systemClock,
        log: NO_LOG,
        backoff: { baseMs: 50, maxMs: 200 },
        onWaiting: (cause) => told.push(cause.code),
        onResumed: () => told.push('resumed'),
      });
      await store.put('again', generated(40 * MIB));
      async function* troubled(): AsyncGenerator<Uint8Array> {
        let seen = 0;
        for await (const chunk of (await store.get('again')).body) {
          seen += chunk.byteLength;
          yield chunk;
          if (!way.isCut && told.length === 0 && seen > 10 * MIB) {
            way.cut();
            void eventually(() => {
              expect(told.length).toBeGreaterThan(2);
            }).then(() => {
              way.mend();
            });
          }
        }
      }
      expect(await digest(troubled())).toBe(await digest(generated(40 * MIB)));
      expect(told.at(-1)).toBe('resumed');
    });

    it('and loses the upload makes a patient put with a restartable source start over', async () => {
      const direct = await open(location({ prefix: 'faults' }));
      const store = withPatience(direct, { clock: systemClock, log: NO_LOG, backoff: { baseMs: 10, maxMs: 20 } });
      let reads = 0;
      const source = async function* (): AsyncGenerator<Uint8Array> {
        reads += 1;
        yield* generated(9 * MIB);
        if (reads === 1) {
          const [upload] = await eventually(async () => {
            const found = await collect(direct.listUploads('lost'));
            expect(found.length).toBe(1);
            return found;
          });
          // This server loses its own way when an upload is aborted while a part of it arrives.
          await eventually(() => {
            const files = readdirSync(b.s3!.directory, { recursive: true, encoding: 'utf8' });
            expect(files.filter((file) => file.endsWith(`${upload!.id}/1`))).toHaveLength(1);
          });
          await direct.abortUpload(upload!);
        }
        yield* generated(9 * MIB);
      };
      await store.put('lost', source);
      expect(reads).toBe(2);
      expect((await store.head('lost')).size).toBe(18 * MIB);
    });

    it('after it finished an object is believed by the object, not by the lost answer', async () => {
      const store = withPatience(await throughProxy(), {
        clock: systemClock,
        log: NO_LOG,
        backoff: { baseMs: 10, maxMs: 20 },
      });
      way.loseAnswerTo(/^POST [^ ]*unsure\?uploadId=/m);
      await store.put('unsure', generated(9 * MIB));
      expect(way.lostAnswers).toBe(1);
      expect((await store.head('unsure')).size).toBe(9 * MIB);
      expect((await getWhole(store, 'unsure', { maxBytes: 10 * MIB })).byteLength).toBe(9 * MIB);
    });
  });
});

interface Way {
  url: string;
  readonly isCut: boolean;
  readonly lostAnswers: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  /** Takes everything and passes nothing on. */
  hold(): void;
  /** Lets the next request of this kind through, and breaks its connection when the answer comes. */
  loseAnswerTo(request: RegExp): void;
  close(): Promise<void>;
}

/** The way to a server, for breaking it. */
async function openWay(endpoint: string): Promise<Way> {
  const { hostname, port } = new URL(endpoint);
  const sockets = new Set<Socket>();
  const state = { isCut: false, isHeld: false, lost: 0, losing: undefined as RegExp | undefined };
  const server: Server = createServer((client) => {
    if (state.isCut) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    let isLosing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        // A way that is silent does not tell either that the other end is gone.
        if (state.isHeld && socket === upstream) return;
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (data) => {
      if (state.isHeld) return;
      if (state.losing?.test(data.toString('latin1')) === true) {
        isLosing = true;
        state.losing = undefined;
      }
      if (!upstream.write(data)) {
        client.pause();
        upstream.once('drain', () => client.resume());
      }
    });
    upstream.on('data', (data) => {
      if (state.isHeld) return;
      if (isLosing) {
        state.lost += 1;
        client.resetAndDestroy();
      } else if (!client.write(data)) {
        upstream.pause();
        client.once('drain', () => upstream.resume());
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isCut() {
      return state.isCut;
    },
    get lostAnswers() {
      return state.lost;
    },
    cut: () => {
      state.isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend: () => {
      state.isCut = false;
      state.isHeld = false;
    },
    hold: () => {
      state.isHeld = true;
    },
    loseAnswerTo: (request) => {
      state.losing = request;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
