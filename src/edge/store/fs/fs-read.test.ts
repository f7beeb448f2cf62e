import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { text } from '../samples.ts';
import { LIST_LIMITS } from '../list-budget.ts';
import { FsStore } from './fs-store.ts';
import { FsTree } from './fs-tree.ts';

it('leaves no file open, whether it is read, left before the first byte or asked for in vain', async () => {
  const base = mkdtempSync(join(tmpdir(), 'headway-read-'));
  const store = new FsStore(new FsTree(base), ['bucket'], { callMs: 5000, list: LIST_LIMITS });
  await store.put('a', text('hello'));
  const closed = async (): Promise<void> => {
    await eventually(() => {
      expect(openFiles(base) ?? []).toEqual([]);
    });
  };
  let whole = '';
  for await (const chunk of (await store.get('a')).body) whole += Buffer.from(chunk).toString();
  expect(whole).toBe('hello');
  await closed();

  const { body } = await store.get('a');
  expect(openFiles(base)?.length ?? 1).toBe(1);
  await body[Symbol.asyncIterator]().return?.(undefined);
  await closed();

  await expect(store.get('a', { range: { offset: 9 } })).rejects.toMatchObject({ code: 'invalid' });
  await closed();
  const stop = new AbortController();
  const given = store.get('a', { signal: stop.signal });
  stop.abort(new Error('no longer wanted'));
  await expect(given).rejects.toThrow('no longer wanted');
  await closed();
  rmSync(base, { recursive: true });
});
