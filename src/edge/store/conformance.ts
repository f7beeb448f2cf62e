import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../base/index.ts';
import { abortUploads, deleteMany, exists, getWhole, type Store } from './index.ts';
import { collect, digest, generated, text } from './samples.ts';
import { scopedStore } from './scoped-store.ts';

export interface Subject {
  store: Store;
  /** Size of the long upload; its memory use is printed and checked. */
  longBytes: number;
}

const MIB = 1024 * 1024;

/** What every store must do. Each test, even when repeated, works below its own prefix. */
export function describeStore(open: () => Promise<Subject>): void {
  let subject: Subject;
  let uses = 0;
  const below = (name: string): Store => scopedStore(subject.store, `conformance/${name}-${(uses += 1)}/`);

  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => {
    subject.store.close();
  });

  describe('one object', () => {
    const sizes = [0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 8 * MIB, 8 * MIB + 1, 20 * MIB];
    it.each(sizes)('comes back byte for byte: %d bytes', async (size) => {
      const store = below('round-trip');
      const told: number[] = [];
      const put = await store.put(`a/${size}`, generated(size), { onProgress: (bytes) => told.push(bytes) });
      expect(put).toEqual({ size });
      expect(told).toEqual(told.toSorted((a, b) => a - b));
      expect(told.at(-1) ?? 0).toBe(size);
      const object = await store.get(`a/${size}`);
      expect(object).toMatchObject({ key: `a/${size}`, size });
      expect(await digest(object.body)).toBe(await digest(generated(size)));
      expect(await store.head(`a/${size}`)).toMatchObject({ key: `a/${size}`, size, version: object.version });
    });

    it('is made of chunks of any size', async () => {
      const store = below('chunks');
      await store.put('odd', generated(9 * MIB, 1_000_003));
      expect(await digest((await store.get('odd')).body)).toBe(await digest(generated(9 * MIB)));
    });

    it('is replaced as a whole, and says so', async () => {
      const store = below('replace');
      await store.put('a', text('first'));
      const { version } = await store.head('a');
      await store.put('a', text('second!'));
      expect((await store.head('a')).version).not.toBe(version);
      expect(String(await getWhole(store, 'a', { maxBytes: 100 }))).toBe('second!');
      await expect(store.get('a', { version })).rejects.toMatchObject({ code: 'conflict', retry: 'never' });
    });

    it('gives a part of itself', async () => {
      const store = below('range');
      await store.put('a', text('0123456789'));
      const part = async (offset: number, length?: number): Promise<string> => {
        const object = await store.get('a', { range: { offset, ...(length === undefined ? {} : { length }) } });
        expect(object.size).toBe(10);
        return Buffer.concat(await collect(object.body)).toString();
      };
      expect([await part(0, 1), await part(3), await part(3, 4), await part(9, 50)]).toEqual([
        '0',
        '3456789',
        '3456',
        '9',
      ]);
      await expect(store.get('a', { range: { offset: 10 } })).rejects.toMatchObject({ code: 'invalid' });
    });

    it.each([
      'with space',
      'ünïcødé/✓ 漢字/😀',
      'plus+and&amp;',
      'quote\'"()*!',
      'percent%2F%20',
      'a=b;c,d@e:f$g~',
      '#?',
    ])('has any key: %s', async (key) => {
      const store = below('keys');
      await store.put(key, text(key));
      expect(String(await getWhole(store, key, { maxBytes: 100 }))).toBe(key);
      expect((await collect(store.list(''))).map((one) => one.key)).toContain(key);
      await store.delete(key);
      expect(await exists(store, key)).toBe(false);
    });

    it.each(['', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', 'a\0b', 'a\nb', '\ud800', 'x'.repeat(1025)])(
      'has no such key: %j',
      async (key) => {
        const store = below('keys');
        for (const call of [
          () => store.put(key, text('x')),
          () => store.get(key),
          () => store.head(key),
          () => store.delete(key),
        ]) {
          await expect(call()).rejects.toMatchObject({ code: 'invalid' });
        }
      },
    );

    it('is missing', async () => {
      const store = below('missing');
      await expect(store.get('a/b')).rejects.toMatchObject({ code: 'notFound' });
      await expect(store.head('a/b')).rejects.toMatchObject({ code: 'notFound' });
      expect(await exists(store, 'a/b')).toBe(false);
      await store.delete('a/b');
    });

    it('is refused as one piece when it is larger than wanted', async () => {
      const store = below('whole');
      await store.put('a', generated(2000));
      await expect(getWhole(store, 'a', { maxBytes: 1999 })).rejects.toMatchObject({ code: 'tooLarge' });
    });

    it('waits for a slow reader', async () => {
      const store = below('slow');
      await store.put('a', generated(6 * MIB));
      const hash = createHash('sha256');
      let reads = 0;
      for await (const chunk of (await store.get('a')).body) {
        hash.update(chunk);
        reads += 1;
        if (reads % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(hash.digest('hex')).toBe(await digest(generated(6 * MIB)));
    });

    it('is one whole of those that were put at the same time', async () => {
      const store = below('race');
      const bodies = [1, 2, 3, 4].map((n) => 9 * MIB + n);
      await Promise.all(bodies.map((size) => store.put('same', generated(size))));
      const object = await store.get('same');
      expect(bodies).toContain(object.size);
      expect(await digest(object.body)).toBe(await digest(generated(object.size)));
      expect(await collect(store.listUploads(''))).toEqual([]);
    });
  });

  describe('a put that does not finish', () => {
    const reason = new Error('stop it');

    it.each([1, 7, 20])('leaves nothing behind when it is aborted after %d MiB', async (after) => {
      const store = below('abort');
      const stop = new AbortController();
      async function* endless(): AsyncGenerator<Uint8Array> {
        for (let sent = 0; ; sent += 1) {
          if (sent === after) stop.abort(reason);
          for await (const chunk of generated(MIB)) yield chunk;
        }
      }
      await expect(store.put('a', endless(), { signal: stop.signal })).rejects.toBe(reason);
      expect(await exists(store, 'a')).toBe(false);
      expect(await collect(store.listUploads(''))).toEqual([]);
    });

    it('ends at once when it is aborted while its source hangs', async () => {
      const store = below('hang');
      const stop = new AbortController();
      async function* hanging(): AsyncGenerator<Uint8Array> {
        yield* generated(9 * MIB);
        stop.abort(reason);
        await new Promise<never>(() => undefined);
      }
      await expect(store.put('a', hanging(), { signal: stop.signal })).rejects.toBe(reason);
      expect(await collect(store.listUploads(''))).toEqual([]);
    });

    it.each([0, 20])('fails as its source fails after %d MiB, and the old object stays', async (after) => {
      const store = below('source');
      const broken = new Error('the source broke');
      async function* breaking(): AsyncGenerator<Uint8Array> {
        yield* generated(after * MIB);
        throw broken;
      }
      await store.put('a', text('old'));
      await expect(store.put('a', breaking())).rejects.toBe(broken);
      expect(String(await getWhole(store, 'a', { maxBytes: 100 }))).toBe('old');
      expect(await collect(store.listUploads(''))).toEqual([]);
    });

    it('is found and ended by somebody else', async () => {
      const store = below('found');
      const [isWaiting, waiting] = signalled();
      const [isReleased, release] = signalled();
      async function* paused(): AsyncGenerator<Uint8Array> {
        yield* generated(9 * MIB);
        waiting();
        await isReleased;
        yield* generated(9 * MIB);
      }
      const put = store.put('x/a', paused());
      await isWaiting;
      expect(await exists(store, 'x/a')).toBe(false);
      expect((await collect(store.list(''))).length).toBe(0);
      expect((await collect(store.listUploads('x/'))).map((upload) => upload.key)).toEqual(['x/a']);
      expect(await collect(store.listUploads('y/'))).toEqual([]);
      expect(await abortUploads(store, 'x/')).toBe(1);
      release();
      // Usually `gone`; a server that was just storing a part may report something else. What matters is that it
      // failed.
      await expect(put).rejects.toMatchObject({ name: 'AppError', retry: 'backoff' });
      expect(await exists(store, 'x/a')).toBe(false);
      expect(await collect(store.listUploads(''))).toEqual([]);
    });

    it('was never begun by an aborted caller', async () => {
      const store = below('early');
      const signal = AbortSignal.abort(reason);
      const calls = [
        () => store.put('a', text('x'), { signal }),
        () => store.get('a', { signal }),
        () => store.head('a', { signal }),
        () => store.delete('a', { signal }),
        () => collect(store.list('', { signal })),
      ];
      for (const call of calls) await expect(call()).rejects.toBe(reason);
      expect(await exists(store, 'a')).toBe(false);
    });
  });

  describe('many objects', () => {
    const names = Array.from({ length: 2500 }, (_, i) => `d${i % 7}/o-${String(i).padStart(4, '0')}`).toSorted();

    it('are listed, in pages, by prefix and as folders, and deleted', { timeout: 120_000 }, async () => {
      const store = below('many');
      for (let i = 0; i < names.length; i += 50) {
        await Promise.all(names.slice(i, i + 50).map((name) => store.put(name, text(name))));
      }
      const listed = await collect(store.list(''));
      expect(listed.map((one) => one.key)).toEqual(names);
      expect(listed.every((one) => one.size === 9 && one.modified > 1.6e12 && one.version !== '')).toBe(true);
      expect((await collect(store.list('d3/o-1'))).map((one) => one.key)).toEqual(
        names.filter((name) => name.startsWith('d3/o-1')),
      );
      expect(await collect(store.listPrefixes(''))).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => `d${n}/`));
      expect(await deleteMany(store, names)).toBe(2500);
      expect(await collect(store.list(''))).toEqual([]);
      expect(await collect(store.listPrefixes(''))).toEqual([]);
    });

    it('have folders only where there are objects', async () => {
      const store = below('folders');
      for (const key of ['backups/a/x', 'backups/a/y', 'backups/ab/z/deep', 'backups/file', 'restores/r/1']) {
        await store.put(key, text(key));
      }
      expect(await collect(store.listPrefixes(''))).toEqual(['backups/', 'restores/']);
      expect(await collect(store.listPrefixes('backups/'))).toEqual(['backups/a/', 'backups/ab/']);
      expect(await collect(store.listPrefixes('backups/ab'))).toEqual(['backups/ab/']);
      expect(await collect(store.listPrefixes('nothing/'))).toEqual([]);
      expect((await collect(store.list('backups/a'))).map((one) => one.key)).toEqual([
        'backups/a/x',
        'backups/a/y',
        'backups/ab/z/deep',
      ]);
      expect(await collect(store.list('nothing/'))).toEqual([]);
      await store.delete('backups/ab/z/deep');
      expect(await collect(store.listPrefixes('backups/'))).toEqual(['backups/a/']);
    });

    it('can be left in the middle of a list', async () => {
      const store = below('left');
      for (const key of ['a', 'b', 'c']) await store.put(key, text(key));
      for await (const { key } of store.list('')) {
        expect(key).toBe('a');
        break;
      }
    });

    it('are deleted up to the first failure, which is told', async () => {
      const store = below('some');
      await store.put('a', text('a'));
      await expect(deleteMany(store, ['a', '../b', 'c'])).rejects.toMatchObject({ code: 'invalid' });
      expect(await exists(store, 'a')).toBe(false);
    });
  });

  it('holds little memory while much is put', { timeout: 300_000 }, async () => {
    const store = below('long');
    const size = subject.longBytes;
    const before = process.memoryUsage.rss();
    let peak = before;
    const onProgress = (): void => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    const started = performance.now();
    await store.put('a', generated(size), { onProgress });
    const seconds = (performance.now() - started) / 1000;
    process.stdout.write(
      `  ${store.where.split(' ')[0] ?? ''}: put ${mib(size)} MiB in ${seconds.toFixed(1)} s, ` +
        `RSS ${mib(before)} MiB before, ${mib(peak)} MiB at its peak\n`,
    );
    expect(await store.head('a')).toMatchObject({ size });
    expect(peak - before).toBeLessThan(100 * MIB);
    await store.delete('a');
  });

  it('says what it is to those who read messages', async () => {
    const store = below('words');
    const error: unknown = await store.get('no/such').catch((thrown: unknown) => thrown);
    expect(isAppError(error, 'notFound')).toBe(true);
    expect(String(error)).toContain('no/such');
    expect(String(error)).toContain(subject.store.where.replace(/ below .*/, ''));
  });
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(0);
}

function signalled(): [Promise<undefined>, () => void] {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return [
    promise,
    () => {
      resolve(undefined);
    },
  ];
}
