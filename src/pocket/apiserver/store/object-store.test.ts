import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LOG } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';
import { ObjectStore } from './object-store.ts';
import { StoreFile } from './store-file.ts';
import type { StoreEvent } from './stored.ts';

const object = (name: string, value = ''): ApiObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'ns' },
  data: { value },
});

describe('ObjectStore', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-store-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const open = (options = {}): ObjectStore => new ObjectStore(new StoreFile(join(dir, 'db'), options), NO_LOG);

  it('gives every write of every resource its own growing version', async () => {
    const store = open();
    const first = store.put('a', object('x'));
    const second = store.put('b', object('x'));
    await second.committed;
    expect(second.stored.rv).toBe(first.stored.rv + 1);
    expect(store.rv).toBe(second.stored.rv);
    expect(store.read('a', 'ns', 'x')?.object.metadata.resourceVersion).toBe(String(first.stored.rv));
    store.close();
  });

  it('shows a write to readers only when it is on the disk', async () => {
    const store = open();
    const before = store.rv;
    const { committed } = store.put('a', object('x', 'new'));
    expect(store.get('a', 'ns', 'x')).toBeDefined();
    expect(store.read('a', 'ns', 'x')).toBeUndefined();
    expect(store.snapshot('a')?.keys()).toEqual([]);
    expect(store.rv).toBe(before);
    await committed;
    expect(store.read('a', 'ns', 'x')).toBeDefined();
    expect(store.snapshot('a')?.keys()).toEqual(['ns/x']);
    store.close();
  });

  it('goes on after a restart where it stopped, also after a delete', async () => {
    const store = open();
    store.put('a', object('kept', 'old'));
    store.put('a', object('kept', 'new'));
    store.put('a', object('gone'));
    await store.remove('a', object('gone')).committed;
    const { rv } = store;
    store.close();
    const again = open();
    expect(again.rv).toBe(rv);
    expect(again.list('a').map((stored) => stored.name)).toEqual(['kept']);
    expect(again.read('a', 'ns', 'kept')?.object['data']).toEqual({ value: 'new' });
    again.close();
  });

  it('commits what is pending when it closes', () => {
    const store = open();
    store.put('a', object('late'));
    store.close();
    const again = open();
    expect(again.read('a', 'ns', 'late')).toBeDefined();
    again.close();
  });

  it('tells each committed write once, in order, with what was there before', async () => {
    const store = open();
    const seen: StoreEvent[] = [];
    store.onCommit((event) => seen.push(event));
    store.put('a', object('x', '1'));
    store.put('a', object('x', '2'));
    expect(seen).toEqual([]);
    await store.remove('a', object('x', '2')).committed;
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(seen.map(({ previous }) => previous?.object['data'])).toEqual([undefined, { value: '1' }, { value: '2' }]);
    expect(seen[2]?.rv).toBe(store.rv);
    store.close();
  });

  it('undoes every write of a turn that does not fit on the disk, and keeps reading and writing', async () => {
    const store = open({ maxPages: 40 });
    await store.put('a', object('small', 'old')).committed;
    const { rv } = store;
    const changed = store.put('a', object('small', 'new'));
    const added = store.put('a', object('large', 'x'.repeat(1_000_000)));
    const removed = store.remove('a', object('small'));
    await expect(changed.committed).rejects.toThrow('full');
    await expect(added.committed).rejects.toMatchObject({ code: 'serverError' });
    await expect(removed.committed).rejects.toMatchObject({ code: 'serverError' });
    expect(store.rv).toBe(rv);
    expect(store.get('a', 'ns', 'large')).toBeUndefined();
    expect(store.read('a', 'ns', 'small')?.object['data']).toEqual({ value: 'old' });
    await store.put('a', object('small', 'newer')).committed;
    store.close();
    const again = open();
    expect(again.list('a').map((stored) => stored.object['data'])).toEqual([{ value: 'newer' }]);
    again.close();
  });

  it('shows an older state from the change log, and says when it does not reach back', async () => {
    const file = new StoreFile(join(dir, 'db'));
    const store = new ObjectStore(file, NO_LOG, { events: 3, characters: 1_000_000 });
    const { stored } = store.put('a', object('x', '1'));
    await store.put('a', object('y', '1')).committed;
    const { rv } = store;
    store.put('a', object('x', '2'));
    store.put('a', object('z', '1'));
    await store.remove('a', object('y')).committed;
    const then = store.snapshot('a', rv);
    expect(then?.keys()).toEqual(['ns/x', 'ns/y']);
    expect(then?.get('ns/x')?.object['data']).toEqual({ value: '1' });
    expect(store.snapshot('a')?.keys()).toEqual(['ns/x', 'ns/z']);
    expect(store.snapshot('a', stored.rv)).toBeUndefined();
    store.close();
  });

  it('keeps integers beyond 2^53', async () => {
    const store = open();
    await store.put('a', { ...object('big'), spec: { limit: 9007199254740993n } }).committed;
    store.close();
    const again = open();
    expect(again.read('a', 'ns', 'big')?.object['spec']).toEqual({ limit: 9007199254740993n });
    again.close();
  });
});
