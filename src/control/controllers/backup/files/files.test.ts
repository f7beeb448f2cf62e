import { expect, it } from 'vitest';
import { AppError } from '../../../../base/index.ts';
import type { Store } from '../../../../edge/store/index.ts';
import { writeFiles } from './files.ts';

async function* noLog(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array());
}
const FILES = {
  resourceList: {},
  results: { errors: {}, warnings: {} },
  volumeInfo: [],
  pluginBackups: [],
  podVolumeBackups: [],
  log: noLog,
  metadata: { kind: 'Backup' },
};

/** A store that records when each file began and ended. */
function storeWith(put: (key: string) => Promise<void>): { store: Store; events: string[] } {
  const events: string[] = [];
  const store = {
    put: async (key: string) => {
      const name = key.split('/').at(-1)!;
      events.push(`begin ${name}`);
      await put(name);
      events.push(`end ${name}`);
      return { size: 0 };
    },
  };
  return { store: store as unknown as Store, events };
}

it('writes the metadata after everything else: a backup that can be seen is whole', async () => {
  const { store, events } = storeWith(() => new Promise((resolve) => setImmediate(resolve)));
  await writeFiles(store, 'b', FILES, {});
  expect(events.slice(-2)).toEqual(['begin velero-backup.json', 'end velero-backup.json']);
  expect(events).toHaveLength(16);
});

it('writes no metadata when a file is refused, and is done with the others when it says so', async () => {
  const { store, events } = storeWith(async (name) => {
    await new Promise((resolve) => setTimeout(resolve, name.includes('results') ? 0 : 20));
    if (name.includes('results')) throw new AppError('forbidden', 'AccessDenied');
  });
  await expect(writeFiles(store, 'b', FILES, {})).rejects.toThrow('AccessDenied');
  expect(events.filter((event) => event.startsWith('begin'))).toHaveLength(7);
  expect(events.filter((event) => event.startsWith('end'))).toHaveLength(6);
  expect(events.join()).not.toContain('velero-backup.json');
});
