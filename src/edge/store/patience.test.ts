import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError, NO_LOG } from '../../base/index.ts';
import { collect, digest, generated, text } from './samples.ts';
import { type CallOptions, getWhole, openStore, type Store, withPatience } from './index.ts';

const away = () => new AppError('unreachable', 'the store is away');

describe('a patient store', () => {
  let directory: string;
  let real: Store;
  let clock: FakeClock;
  let failures: AppError[];
  let told: string[];
  let patient: Store;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'headway-patience-'));
    real = await openStore({ provider: 'headway.io/fs', bucket: 'b' }, { log: NO_LOG, fsRoot: directory });
    clock = new FakeClock();
    failures = [];
    told = [];
    patient = withPatience(failing(real, failures), {
      clock,
      log: NO_LOG,
      limitMs: 60_000,
      random: () => 0,
      onWaiting: (cause, since) => told.push(`${cause.code} since ${clock.now() - since} ms`),
      onResumed: () => told.push('resumed'),
    });
  });
  afterEach(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  /** Advances the clock whenever something sleeps, until the work has ended. */
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    over.catch(() => undefined);
    while (!isOver) {
      if (clock.sleeping > 0) await clock.advance(50);
      else await new Promise((resolve) => setImmediate(resolve));
    }
    return await over;
  };

  it('waits with growing delays, tells, and goes on', async () => {
    await real.put('a', text('x'));
    failures.push(away(), away(), away());
    expect(await finish(patient.head('a'))).toMatchObject({ key: 'a' });
    expect(told).toEqual(['unreachable since 0 ms', 'unreachable since 250 ms', 'unreachable since 750 ms', 'resumed']);
  });

  it('gives up after the limit, and says how long it tried', async () => {
    failures.push(...Array.from({ length: 1000 }, away));
    const started = clock.now();
    await expect(finish(patient.head('a'))).rejects.toThrow('the store is away (tried for 60 s)');
    expect(clock.now() - started).toBeLessThan(61_000);
    expect(told.at(-1)).toBe('resumed');
  });

  it('is as patient when somebody sets the wall clock', async () => {
    await real.put('a', text('x'));
    failures.push(away(), away());
    const asked = patient.head('a');
    await clock.advance(0);
    clock.setForward(3_600_000);
    expect(await finish(asked)).toMatchObject({ key: 'a' });
  });

  it('gives up a put after one limit, not after one per request', async () => {
    failures.push(...Array.from({ length: 100_000 }, away));
    const started = clock.now();
    await expect(finish(patient.put('a', () => text('x')))).rejects.toMatchObject({ code: 'unreachable' });
    expect(clock.now() - started).toBeLessThan(61_000);
  });

  it.each(['notFound', 'forbidden', 'unauthenticated', 'tooLarge', 'invalidConfig'] as const)(
    'does not wait for what stays as it is: %s',
    async (code) => {
      failures.push(new AppError(code, 'no'));
      await expect(patient.head('a')).rejects.toMatchObject({ code });
      expect(told).toEqual([]);
    },
  );

  it('comes back when the server said it should, but not too late', async () => {
    await real.put('a', text('x'));
    failures.push(new AppError('throttled', 'slow down', { retry: { afterMs: 3000 } }));
    failures.push(new AppError('throttled', 'slow down', { retry: { afterMs: 3_600_000 } }));
    const started = clock.now();
    await finish(patient.head('a'));
    expect(clock.now() - started).toBeGreaterThanOrEqual(18_000);
    expect(clock.now() - started).toBeLessThan(19_000);
  });

  it('stops waiting when it is aborted', async () => {
    const stop = new AbortController();
    failures.push(...Array.from({ length: 100 }, away));
    const reason = new Error('enough');
    const work = patient.head('a', { signal: stop.signal });
    work.catch(() => undefined);
    await clock.advance(1000);
    stop.abort(reason);
    await expect(work).rejects.toBe(reason);
  });

  it('starts a put over when its source can be read again, and never counts backwards', async () => {
    let reads = 0;
    const source = async function* () {
      reads += 1;
      yield* generated(3_000_000);
      if (reads < 3) failures.push(away());
    };
    const progress: number[] = [];
    expect(await finish(patient.put('a', source, { onProgress: (bytes) => progress.push(bytes) }))).toEqual({
      size: 3_000_000,
    });
    expect(reads).toBe(3);
    expect(progress).toEqual([...new Set(progress)].toSorted((a, b) => a - b));
    expect(await digest((await real.get('a')).body)).toBe(await digest(generated(3_000_000)));
  });

  it('does not start a put over when its source cannot be read again, or failed itself', async () => {
    const broken = away();
    async function* failingSource(): AsyncGenerator<Uint8Array> {
      yield* generated(10);
      throw broken;
    }
    await expect(patient.put('a', failingSource)).rejects.toBe(broken);
    failures.push(away());
    await expect(patient.put('a', text('x'))).rejects.toMatchObject({ code: 'unreachable' });
    expect(told).toEqual([]);
  });

  it('goes on with a download at the byte where it broke', async () => {
    await real.put('a', generated(2_000_000));
    const breaking = breakingBodies(real, 300_000);
    const store = withPatience(breaking.store, { clock, log: NO_LOG, random: () => 0 });
    const work = (async () => await digest((await store.get('a')).body))();
    expect(await finish(work)).toBe(await digest(generated(2_000_000)));
    expect(breaking.offsets.length).toBeGreaterThan(5);
    expect(breaking.offsets).toEqual(breaking.offsets.toSorted((a, b) => a - b));
    const range = { offset: 100_000, length: 900_000 };
    const part = async () => Buffer.concat(await collect((await store.get('a', { range })).body));
    expect((await finish(part())).equals((await getWhole(real, 'a', { maxBytes: 3e6 })).subarray(1e5, 1e6))).toBe(true);
  });

  it('does not go on with another object than it began with', async () => {
    await real.put('a', generated(2_000_000));
    const store = withPatience(breakingBodies(real, 300_000).store, { clock, log: NO_LOG });
    const work = (async () => {
      const { body } = await store.get('a');
      await real.put('a', generated(2_000_000));
      return await digest(body);
    })();
    await expect(finish(work)).rejects.toMatchObject({ code: 'conflict' });
  });
});

/** Throws the failures, one per request of head, and one per whole put. */
function failing(store: Store, failures: AppError[]): Store {
  const fail = () => {
    const next = failures.shift();
    if (next !== undefined) throw next;
  };
  return {
    ...asObject(store),
    head: async (key, options: CallOptions = {}) => {
      const retry = options.retry ?? ((once) => once());
      return await retry(async () => {
        fail();
        return await store.head(key, { signal: options.signal });
      });
    },
    put: async (key, source, options) => {
      const done = await store.put(key, source, options);
      const retry = options?.retry ?? ((once) => once());
      if (failures.length > 10) await retry(() => Promise.resolve().then(fail));
      fail();
      return done;
    },
  };
}

/** Every body breaks after some bytes; records where each began. */
function breakingBodies(store: Store, bytes: number): { store: Store; offsets: number[] } {
  const offsets: number[] = [];
  async function* breaking(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = bytes;
    for await (const chunk of body) {
      if (left <= 0) throw away();
      yield chunk.subarray(0, left);
      if (chunk.byteLength > left) throw away();
      left -= chunk.byteLength;
    }
  }
  return {
    offsets,
    store: {
      ...asObject(store),
      get: async (key, options) => {
        offsets.push(options?.range?.offset ?? 0);
        const object = await store.get(key, options);
        return { ...object, body: breaking(object.body) };
      },
    },
  };
}

/** A spread does not copy the methods of a class. */
function asObject(store: Store): Store {
  return {
    where: store.where,
    put: (...args) => store.put(...args),
    get: (...args) => store.get(...args),
    head: (...args) => store.head(...args),
    delete: (...args) => store.delete(...args),
    list: (...args) => store.list(...args),
    listPrefixes: (...args) => store.listPrefixes(...args),
    listUploads: (...args) => store.listUploads(...args),
    abortUpload: (...args) => store.abortUpload(...args),
    downloadUrl: (...args) => store.downloadUrl(...args),
    close: () => {
      store.close();
    },
  };
}
