import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LeasedStore } from '../../../test/leased-store.ts';
import { AppError } from '../../base/index.ts';
import { backupAdapter } from '../../core/operations/kinds/backup.ts';
import { OperationTree, type ProblemGroup } from '../../core/operations/index.ts';
import type { Store } from '../../edge/store/index.ts';
import { StoredResults } from './stored-results.ts';

const object = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero' } };
const entry = new OperationTree().put(backupAdapter, object, { cluster: 'demo', now: 0 });
const never = new AbortController().signal;
const results = (...velero: string[]): Uint8Array => gzipSync(JSON.stringify({ errors: { velero }, warnings: {} }));

/** A store with one file, which counts how often it is read, and waits with it until it is told. */
class OneFile {
  reads = 0;
  version = '1';
  bytes: Uint8Array | undefined = results('no room');
  gate = Promise.resolve<undefined>(undefined);
  readonly leased = new LeasedStore({
    where: 'here',
    head: () =>
      this.bytes ? Promise.resolve({ version: this.version }) : Promise.reject(new AppError('notFound', 'no')),
    get: () => {
      this.reads += 1;
      return Promise.resolve({ body: this.#body() });
    },
  } as unknown as Store);

  async *#body(): AsyncGenerator<Uint8Array> {
    await this.gate;
    if (this.bytes !== undefined) yield this.bytes;
  }
}

async function asked(stored: StoredResults, { leased }: OneFile, signal: AbortSignal): Promise<ProblemGroup[]> {
  using opened = leased.open();
  return await stored.problemsOf(opened, entry, signal);
}

it('reads a file once, for all who ask, until it is another one', async () => {
  const file = new OneFile();
  const stored = new StoredResults();
  const ask = async () => (await asked(stored, file, never)).map(({ text }) => text);
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([['no room'], ['no room'], ['no room']]);
  expect(await ask()).toEqual(['no room']);
  expect(file.reads).toBe(1);
  file.version = '2';
  file.bytes = results('no disk');
  expect(await ask()).toEqual(['no disk']);
  expect(file.reads).toBe(2);
});

it('says nothing when there is no file, and what is wrong with a broken one', async () => {
  const file = new OneFile();
  const stored = new StoredResults();
  file.bytes = undefined;
  expect(await asked(stored, file, never)).toEqual([]);
  file.bytes = Buffer.from('no gzip');
  const [problem] = await asked(stored, file, never);
  expect(problem).toMatchObject({ level: 'warning', text: expect.stringContaining('cannot be read') as string });
});

it('goes on when the one who asked leaves, and tries again after a failure', async () => {
  const file = new OneFile();
  const stored = new StoredResults();
  const gate = Promise.withResolvers<undefined>();
  file.gate = gate.promise;
  const left = new AbortController();
  const asking = asked(stored, file, left.signal);
  left.abort(new Error('gone'));
  await expect(asking).rejects.toThrow('gone');
  // The reading goes on, and needs the store for it.
  expect(file.leased.users).toBe(1);
  gate.resolve(undefined);
  expect(await asked(stored, file, never)).toHaveLength(1);
  expect(file.reads).toBe(1);
  file.version = '2';
  file.gate = Promise.reject(new AppError('unreachable', 'away'));
  await expect(asked(stored, file, never)).rejects.toThrow('away');
  file.gate = Promise.resolve(undefined);
  expect(await asked(stored, file, never)).toHaveLength(1);
  expect(file.leased.users).toBe(0);
});

it('reads only a few at a time', async () => {
  const file = new OneFile();
  const stored = new StoredResults();
  const gate = Promise.withResolvers<undefined>();
  file.gate = gate.promise;
  const ask = (version: string) => {
    file.version = version;
    return asked(stored, file, never);
  };
  const asking = ['1', '2', '3', '4'].map(ask);
  await expect(ask('5')).rejects.toMatchObject({ code: 'throttled' });
  gate.resolve(undefined);
  await Promise.all(asking);
  expect(await ask('5')).toHaveLength(1);
});

it('keeps only so much, and that which was asked for last', async () => {
  const file = new OneFile();
  const stored = new StoredResults();
  // 200 groups of 20 messages of 1000 characters: four of these are kept.
  const text = (at: number): string => `${'x'.repeat(980)} ${String.fromCharCode(0x100 + (at % 200))} ${at}`;
  file.bytes = results(...Array.from({ length: 4000 }, (_, at) => text(at)));
  const ask = async (version: string) => {
    file.version = version;
    await asked(stored, file, never);
  };
  const readsAfter = async (...versions: string[]): Promise<number> => {
    for (const version of versions) await ask(version);
    return file.reads;
  };
  expect(await readsAfter('1', '2', '3', '4', '1')).toBe(4);
  expect(await readsAfter('5', '1')).toBe(5);
  expect(await readsAfter('2')).toBe(6);
});
