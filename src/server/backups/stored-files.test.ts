import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LeasedStore } from '../../../test/leased-store.ts';
import { AppError } from '../../base/index.ts';
import { backupAdapter } from '../../core/operations/kinds/backup.ts';
import { OperationTree } from '../../core/operations/index.ts';
import type { Store } from '../../edge/store/index.ts';
import { storedLog } from './stored-files.ts';

const object = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero' } };
const entry = new OperationTree().put(backupAdapter, object, { cluster: 'demo', now: 0 });
const log = gzipSync('a line\n'.repeat(100_000));
const never = new AbortController().signal;

/** Only what reading a log needs. */
function storeOf(body: () => AsyncGenerator<Uint8Array>): LeasedStore {
  return new LeasedStore({ get: () => Promise.resolve({ body: body() }) } as unknown as Store);
}

async function read(store: LeasedStore): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of storedLog(store.open(), entry, never)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

it('reads a log whole', async () => {
  const store = storeOf(async function* () {
    yield await Promise.resolve(log);
  });
  expect(await read(store)).toHaveLength(700_000);
  expect(store.users).toBe(0);
});

// An error that nobody hears would end the whole process.
it('tells whoever reads when the store breaks in the middle', async () => {
  const store = storeOf(async function* () {
    yield await Promise.resolve(log.subarray(0, 100));
    throw new AppError('unreachable', 'the store is away');
  });
  await expect(read(store)).rejects.toThrow('the store is away');
  expect(store.users).toBe(0);
});

it('lets go of the file when the reader leaves', async () => {
  const left = Promise.withResolvers<undefined>();
  const store = storeOf(async function* () {
    try {
      for (let at = 0; ; at = (at + 64) % log.length) yield await Promise.resolve(log.subarray(at, at + 64));
    } finally {
      left.resolve(undefined);
    }
  });
  for await (const piece of storedLog(store.open(), entry, never)) {
    expect(piece.length).toBeGreaterThan(0);
    break;
  }
  await left.promise;
  expect(store.users).toBe(0);
});
