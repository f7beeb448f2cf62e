import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError } from '../../base/index.ts';
import { formatListed } from '../../core/volumes/index.ts';
import { Listings, type ListingsOptions } from './listings.ts';

type Call = Parameters<Parameters<Listings['look']>[1]>[0];

const never = new AbortController().signal;
const ALL = { limit: 1000 };
const modifiedAt = '2026-11-17T20:48:07.000Z';

function linesOf(...paths: string[]): string {
  return paths.map((path) => `${formatListed({ path, type: 'file', bytes: 1, mode: 0o644, modifiedAt })}\n`).join('');
}

async function* inPieces(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 50) yield await Promise.resolve(Buffer.from(text.slice(at, at + 50)));
}

describe('lists of files', () => {
  const clock = new FakeClock();
  let spoolDir: string;
  let listings: Listings;
  let calls: Call[];
  let work: (call: Call) => Promise<void>;
  const begin = (call: Call): Promise<void> => {
    calls.push(call);
    return work(call);
  };
  const open = (options: Partial<ListingsOptions> = {}): void => {
    listings = new Listings({ spoolDir, clock, ...options });
  };
  const pathsOf = async (key: string, query: Parameters<Listings['look']>[2] = ALL): Promise<string[]> =>
    (await listings.look(key, begin, query, never)).files.map(({ path }) => path);
  /** Goes on until it is told to stop, as a mover does. */
  const hangs = ({ signal }: Call): Promise<void> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  beforeEach(() => {
    spoolDir = mkdtempSync(join(tmpdir(), 'headway-listings-'));
    calls = [];
    work = ({ keep }) => keep(inPieces(linesOf('a', 'a/b', 'c"d', 'e')));
    open();
  });
  afterEach(async () => {
    await listings.close();
    rmSync(spoolDir, { recursive: true, force: true });
  });

  it('are made once, for every page, filter and person', async () => {
    expect(await pathsOf('k')).toEqual(['a', 'a/b', 'c"d', 'e']);
    const first = await listings.look('k', begin, { limit: 3 }, never);
    expect(first.files).toHaveLength(3);
    const rest = { limit: 3, continue: Number(first.continue) };
    expect(await listings.look('k', begin, rest, never)).toEqual({
      files: [{ path: 'e', type: 'file', bytes: 1, mode: 0o644, modifiedAt }],
    });
    expect(await pathsOf('k', { limit: 9, q: '"' })).toEqual(['c"d']);
    expect(await pathsOf('k', { limit: 9, q: 'file' })).toEqual([]);
    expect(calls).toHaveLength(1);
    await pathsOf('other');
    expect(calls).toHaveLength(2);
  });

  it('begin anywhere that somebody names, with the next whole line', async () => {
    expect(await pathsOf('k', { limit: 9, continue: 5 })).toEqual(['a/b', 'c"d', 'e']);
    expect(await pathsOf('k', { limit: 9, continue: 1e9 })).toEqual([]);
  });

  it('say how far they are while they are made, and what people should know', async () => {
    const ready = Promise.withResolvers<undefined>();
    work = async (call) => {
      call.onWaiting('pod velero/list has to start');
      await call.keep(
        (async function* () {
          await ready.promise;
          yield* inPieces(linesOf('a'));
        })(),
      );
    };
    const waiting = listings.look('k', begin, ALL, never);
    await clock.advance(1000);
    expect(await waiting).toEqual({
      files: [],
      listing: { seconds: 1, entries: 0, waitsFor: 'pod velero/list has to start' },
    });
    calls[0]!.onProgress(7);
    calls[0]!.onNote('more exist');
    const later = listings.look('k', begin, ALL, never);
    await clock.advance(1000);
    expect((await later).listing).toEqual({ seconds: 2, entries: 7 });
    const last = listings.look('k', begin, ALL, never);
    ready.resolve(undefined);
    expect(await last).toMatchObject({ files: [{ path: 'a' }], notes: ['more exist'] });
    expect(calls).toHaveLength(1);
  });

  it('go on when one request ends, and end when nobody asks again', async () => {
    work = hangs;
    const gone = new AbortController();
    const left = listings.look('k', begin, ALL, gone.signal);
    gone.abort(new Error('the browser left'));
    await expect(left).rejects.toThrow('the browser left');
    for (let seconds = 0; seconds < 60; seconds += 1) {
      const again = listings.look('k', begin, ALL, never);
      await clock.advance(1000);
      expect((await again).listing).toBeDefined();
    }
    expect(calls).toHaveLength(1);
    await clock.advance(10_000);
    expect(calls[0]!.signal.aborted).toBe(false);
    await clock.advance(15_000);
    expect(calls[0]!.signal.aborted).toBe(true);
    await eventually(() => {
      expect(readdirSync(spoolDir)).toEqual([]);
    });
  });

  it('that fail are told to everybody who waits, and tried again for the next', async () => {
    work = async ({ keep }) => {
      await keep(inPieces(linesOf('a')));
      throw new AppError('unauthenticated', 'the password is wrong');
    };
    const looks = [listings.look('k', begin, ALL, never), listings.look('k', begin, ALL, never)];
    await Promise.all(looks.map((look) => expect(look).rejects.toThrow('the password is wrong')));
    expect(calls).toHaveLength(1);
    expect(readdirSync(spoolDir)).toEqual([]);
    work = ({ keep }) => keep(inPieces(linesOf('b')));
    expect(await pathsOf('k')).toEqual(['b']);
  });

  it('hold what the last attempt gave, and no more than was asked for', async () => {
    work = async ({ keep }) => {
      await keep(inPieces(linesOf('first', 'attempt')));
      await keep(inPieces(linesOf('second')));
    };
    expect(await pathsOf('k')).toEqual(['second']);
    open({ maxListBytes: 20 });
    await expect(pathsOf('k')).rejects.toMatchObject({ code: 'badAnswer' });
  });

  it('are dropped when there are too many of them, the oldest first, but not while they are read', async () => {
    open({ maxBytes: 2 * linesOf('a').length });
    work = ({ keep }) => keep(inPieces(linesOf('a')));
    for (const key of ['1', '2', '1', '3']) await pathsOf(key);
    await eventually(() => {
      expect(readdirSync(spoolDir)).toHaveLength(2);
    });
    expect(calls).toHaveLength(3);
    await pathsOf('1');
    expect(calls).toHaveLength(3);
    await pathsOf('2');
    expect(calls).toHaveLength(4);
  });

  it('are made a few at a time, and end with the server', async () => {
    work = hangs;
    // All are heard from the beginning: they end at once, and in any order.
    const waiting = ['1', '2', '3', '4'].map((key) =>
      expect(listings.look(key, begin, ALL, never)).rejects.toThrow('the server stops'),
    );
    await expect(pathsOf('5')).rejects.toMatchObject({ code: 'throttled' });
    await listings.close();
    await Promise.all(waiting);
    expect(readdirSync(spoolDir)).toEqual([]);
  });
});
