import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { readSource } from './source.ts';

const CHUNKS = 50;

it('lets go of every chunk that was taken, however long the source goes on', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const given: WeakRef<Uint8Array>[] = [];
  const source = async function* () {
    for (;;) {
      const chunk = new Uint8Array(1000);
      given.push(new WeakRef(chunk));
      yield await Promise.resolve(chunk);
    }
  };
  const reader = readSource(source(), new AbortController().signal);
  for (let taken = 0; taken < CHUNKS; taken += 1) await reader.next();
  await turn();
  collectGarbage();
  expect(given).toHaveLength(CHUNKS);
  expect(given.filter((chunk) => chunk.deref() !== undefined).length).toBeLessThan(5);
  await reader.return(undefined);
});

it('throws the reason at once when it is aborted, while the source hangs and between two chunks', async () => {
  const stop = new AbortController();
  const hanging = async function* () {
    yield new Uint8Array(1);
    await new Promise(() => undefined);
  };
  const reader = readSource(hanging(), stop.signal);
  await reader.next();
  const next = reader.next();
  stop.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');

  const later = new AbortController();
  const endless = async function* () {
    for (;;) yield await Promise.resolve(new Uint8Array(1));
  };
  const second = readSource(endless(), later.signal);
  await second.next();
  later.abort(new Error('enough as well'));
  await expect(second.next()).rejects.toThrow('enough as well');
});
