import { expect, it } from 'vitest';
import { FakeClock } from '../../../../../test/fake-clock.ts';
import { patientCalls } from '../../../../../test/backup/kube-lists.ts';
import { eventually } from '../../../../../test/eventually.ts';
import { AppError } from '../../../../base/index.ts';
import type { Kube, ListOptions, Page } from '../../../../edge/kube/index.ts';
import { PageReader } from './page-reader.ts';

const page = (name: string, release?: () => void): Page => ({
  items: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }],
  resourceVersion: '1',
  restarted: false,
  ...(release && { release }),
});
const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

function readerOf(list: (target: unknown, options: ListOptions) => AsyncIterable<Page>, itemBytes = 0) {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  const deps = { kube: { list } as unknown as Kube, api: patientCalls(signal, clock), signal };
  return { clock, reader: new PageReader({ target: { type }, labelSelector: '', itemBytes }, deps) };
}

it('goes on with a list that takes so long that the server gives its place up, however often', async () => {
  let walks = 0;
  // Each pass gets one page further before its token expires.
  const { clock, reader } = readerOf(async function* () {
    walks += 1;
    for (let at = 0; at < 6; at += 1) {
      if (at === walks) throw new AppError('gone', 'the continue token is too old');
      yield await Promise.resolve(page(`m${at}`));
    }
  });
  const seen = new Set<string>();
  const reading = (async () => {
    for (let read = await reader.next(); read !== undefined; read = await reader.next()) {
      for (const { metadata } of read.items) seen.add(metadata.name);
    }
  })();
  await clock.advance(60_000);
  await reading;
  expect([...seen]).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5']);
  expect(walks).toBe(6);
});

it('goes on where a list broke, and tells what is wrong when that page never comes', async () => {
  const asked: (string | undefined)[] = [];
  let isBroken = true;
  const { clock, reader } = readerOf(async function* (_, { from }) {
    asked.push(from);
    if (from === undefined) yield await Promise.resolve({ ...page('a'), more: 'second' });
    if (isBroken) throw new AppError('serverError', 'cannot be decoded');
    yield await Promise.resolve(page('b'));
  });
  expect((await reader.next())?.items).toMatchObject([{ metadata: { name: 'a' } }]);
  const failing = expect(reader.next()).rejects.toThrow('cannot be decoded');
  await clock.advance(60_000);
  await failing;
  expect(asked.length).toBeLessThan(10);
  expect(asked.slice(1)).toEqual(asked.slice(1).map(() => 'second'));
  isBroken = false;
  expect((await reader.next())?.items).toMatchObject([{ metadata: { name: 'b' } }]);
});

it('gives up a list that the server never lets get any further', async () => {
  let walks = 0;
  const { clock, reader } = readerOf(async function* () {
    walks += 1;
    yield await Promise.resolve({ ...page('a'), more: 'second' });
    throw new AppError('gone', 'the continue token is too old');
  });
  const reading = (async () => {
    while ((await reader.next()) !== undefined);
  })();
  const failing = expect(reading).rejects.toMatchObject({ code: 'gone', retry: 'never' });
  await clock.advance(60_000);
  await failing;
  expect(walks).toBe(4);
});

it('requests a page ahead once, and tells of its failure whoever asks for it', async () => {
  let asked = 0;
  const { reader } = readerOf(async function* () {
    asked += 1;
    yield await Promise.resolve(page('a'));
    asked += 1;
    throw new AppError('forbidden', 'no more');
  });
  reader.readAhead();
  reader.readAhead();
  await eventually(() => {
    expect(asked).toBe(1);
  });
  expect((await reader.next())?.items).toHaveLength(1);
  reader.readAhead();
  await eventually(() => {
    expect(asked).toBe(2);
  });
  await expect(reader.next()).rejects.toMatchObject({ code: 'forbidden' });
});

it('drops what it reads ahead when nobody goes on', async () => {
  let released = 0;
  let isAborted = false;
  const { reader } = readerOf(async function* (_, { signal }) {
    yield await Promise.resolve(page('a', () => (released += 1)));
    await new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        isAborted = true;
        reject(signal.reason as Error);
      });
    });
  });
  reader.readAhead();
  await reader.next();
  reader.readAhead();
  await reader.end();
  expect(isAborted).toBe(true);
  const unread = readerOf(async function* () {
    yield await Promise.resolve(page('a', () => (released += 1)));
  });
  unread.reader.readAhead();
  await unread.reader.end();
  await eventually(() => {
    expect(released).toBe(1);
  });
});

it('says after its end that it has ended, and not that the list has', async () => {
  const { reader } = readerOf(async function* () {
    yield await Promise.resolve(page('a'));
  });
  await reader.end();
  await expect(reader.next()).rejects.toThrow('not read any more');
});

it.each([
  [0, 500],
  [1024, 500],
  [8192, 128],
  [5 * 1024 * 1024, 1],
])('asks for a first page that is as long as others, of objects of %d bytes: %d', async (itemBytes, limit) => {
  let asked: ListOptions = {};
  const { reader } = readerOf(async function* (_, options) {
    asked = options;
    yield await Promise.resolve(page('a'));
  }, itemBytes);
  await reader.next();
  expect(asked).toMatchObject({ firstLimit: limit, limit: 500 });
});
