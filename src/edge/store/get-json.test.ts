import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHORT_STEP_MS, watchingLoop } from '../../../test/event-loop.ts';
import { resultsBomb } from '../../../test/results-bomb.ts';
import { AppError, parseJson } from '../../base/index.ts';
import { getJson, type GetJsonOptions } from './get-json.ts';
import type { Store } from './port.ts';

const LIMITS = { isGzipped: true, maxBytes: 8 * 1024 ** 2, maxValues: 200_000 };

/** Only what reading one object needs. */
function storeOf(bytes: Uint8Array, part = 64 * 1024): Store & { left: Promise<undefined> } {
  const left = Promise.withResolvers<undefined>();
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; at < bytes.length; at += part) yield await Promise.resolve(bytes.subarray(at, at + part));
    } finally {
      left.resolve(undefined);
    }
  }
  const get = (): unknown => Promise.resolve({ body: body() });
  return { where: 'the test', get, left: left.promise } as unknown as Store & { left: Promise<undefined> };
}

const read = (bytes: Uint8Array, options: Partial<GetJsonOptions> = {}, part?: number) =>
  getJson(storeOf(bytes, part), 'a.json', { ...LIMITS, ...options });

describe('getJson', () => {
  it('gives the document, packed or not, in pieces of any length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 100 }), async (text, part) => {
        const found = { value: parseJson(text), isCut: false };
        expect(await read(gzipSync(text), {}, part)).toEqual(found);
        expect(await read(Buffer.from(text), { isGzipped: false }, part)).toEqual(found);
      }),
      { numRuns: 50 },
    );
  });

  it('gives nothing when there is nothing, and passes on what the store says', async () => {
    const failing = (error: Error): Store => ({ where: 'x', get: () => Promise.reject(error) }) as unknown as Store;
    expect(await getJson(failing(new AppError('notFound', 'no')), 'a', LIMITS)).toBeUndefined();
    await expect(getJson(failing(new AppError('unreachable', 'away')), 'a', LIMITS)).rejects.toThrow(/^away$/);
  });

  it.each([
    ['no gzip', Buffer.from('{}'), 'expected gzip'],
    ['half a gzip', gzipSync('{"a":1}').subarray(0, 20), 'expected gzip'],
    ['no JSON', gzipSync('{"a":'), 'expected JSON'],
    ['nothing', gzipSync(''), 'expected JSON'],
  ])('refuses %s, and names the object', async (_, bytes, why) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`read a.json from the test: ${why}`) as string,
    });
  });

  const bomb = resultsBomb();

  // 65 KB of it once took the event loop 11 to 16 s, and 3.5 GB of memory.
  it('refuses 45 MB in a few kilobytes early, and keeps nobody waiting', async () => {
    expect(bomb.length).toBeLessThan(100_000);
    const store = storeOf(bomb, 8 * 1024);
    const before = process.memoryUsage.rss();
    const { stepMs } = await watchingLoop(async () => {
      await expect(getJson(store, 'a.json', LIMITS)).rejects.toMatchObject({ code: 'tooLarge' });
    });
    await store.left;
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 ** 2);
  });

  it('gives the beginning of it to one who may be content with that', async () => {
    const found = await read(bomb, { mayCut: true });
    expect(found?.isCut).toBe(true);
    const { errors } = found?.value as { errors: { velero: string[] } };
    expect(errors.velero.length).toBeGreaterThan(100_000);
    expect(new Set(errors.velero)).toEqual(new Set(['broken 0']));
  });

  it('does not read on without end what unpacks to nothing', async () => {
    const nothing = Buffer.concat(Array.from({ length: 2000 }, () => gzipSync('')));
    await expect(read(nothing, { maxBytes: 10_000 })).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it('ends when it is canceled', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(read(bomb, { signal })).rejects.toThrow('enough');
  });
});
