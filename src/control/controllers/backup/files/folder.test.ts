import { expect, it } from 'vitest';
import { AppError } from '../../../../base/index.ts';
import type { Store } from '../../../../edge/store/index.ts';
import type { Operation } from '../../../operation/index.ts';
import type { ControlDeps } from '../../ports.ts';
import { BackupFolder } from './folder.ts';

it.each([
  [1, []],
  [2, ['upload u', 'backups/b/b.tar.gz']],
])('attempt %i begins without the files of an earlier one', async (attempt, gone) => {
  const removed: string[] = [];
  const remove = (what: string): Promise<void> => Promise.resolve(void removed.push(what));
  const store = {
    where: 'the bucket',
    get: () => Promise.reject(new AppError('notFound', 'no metadata')),
    list: () => [{ key: 'backups/b/b.tar.gz' }],
    listUploads: () => [{ key: 'backups/b/b.tar.gz', id: 'u' }],
    abortUpload: ({ id }: { id: string }) => remove(`upload ${id}`),
    delete: remove,
  } as unknown as Store;
  const operation = {
    ...{ attempt, object: { metadata: { name: 'b', uid: '1' } }, patient: (of: Store) => of },
    api: () => ({ call: (request: () => unknown) => request() }),
  } as unknown as Operation;
  const stores = { open: () => Promise.resolve({ store }) } as unknown as ControlDeps['stores'];
  const folder = new BackupFolder(operation, stores);
  expect(await folder.claim('default', new AbortController().signal)).toBeUndefined();
  expect(removed).toEqual(gone);
});
