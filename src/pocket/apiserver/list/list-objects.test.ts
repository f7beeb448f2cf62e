import { beforeEach, describe, expect, it } from 'vitest';
import { memoryServer, TYPES, type MemoryServer } from '../../../../test/pocket/memory-server.ts';
import type { Resource } from '../registry/index.ts';
import { listObjects, type ListOptions, type ListResult } from './list-objects.ts';
import { select, type SelectionText } from './selection.ts';

describe('listObjects', () => {
  let server: MemoryServer;
  let resource: Resource;
  const list = (options: ListOptions = {}, text: SelectionText = { namespace: 'default' }): ListResult =>
    listObjects(server.api.store, select(resource, text), options);
  const names = (result: ListResult): string[] => result.items.map((stored) => stored.name);
  const create = async (name: string, labels = {}): Promise<unknown> =>
    server.client.create(TYPES.configMaps, { metadata: { name, labels, namespace: 'default' } });

  beforeEach(async () => {
    server = await memoryServer();
    const found = server.api.types.find('', 'v1', 'configmaps');
    if (found === undefined) throw new Error('no ConfigMap in the table');
    resource = found;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name, name < 'c' ? { half: 'first' } : {});
  });

  it('pages through one state, whatever happens in between', async () => {
    const first = list({ limit: 2 });
    expect(names(first)).toEqual(['a', 'b']);
    expect(first.remaining).toBe(3);
    await create('bb');
    await server.client.delete({ type: TYPES.configMaps, namespace: 'default', name: 'd' });
    const second = list({ limit: 2, continue: first.continue ?? '' });
    expect(names(second)).toEqual(['c', 'd']);
    expect(second.rv).toBe(first.rv);
    const third = list({ limit: 2, continue: second.continue ?? '' });
    expect(names(third)).toEqual(['e']);
    expect(third.continue).toBeUndefined();
    expect(names(list())).toEqual(['a', 'b', 'bb', 'c', 'e']);
  });

  it('does not count the rest of a selection', () => {
    const page = list({ limit: 1 }, { namespace: 'default', labelSelector: 'half=first' });
    expect(names(page)).toEqual(['a']);
    expect(page.continue).toBeDefined();
    expect(page.remaining).toBeUndefined();
  });

  it('knows no pages at version 0, and an exact version shows the past', async () => {
    expect(names(list({ limit: 1, resourceVersion: '0' }))).toHaveLength(5);
    const { rv } = list();
    await create('later');
    expect(names(list({ resourceVersion: String(rv), resourceVersionMatch: 'Exact' }))).not.toContain('later');
    expect(names(list({ resourceVersion: String(rv), resourceVersionMatch: 'NotOlderThan' }))).toContain('later');
  });

  it.each([
    [{ resourceVersion: '999999' }, 504],
    [{ resourceVersion: 'x' }, 400],
    [{ continue: '!!!' }, 400],
    [{ continue: Buffer.from('{"v":"other","rv":1,"start":"a"}').toString('base64') }, 400],
    [{ continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}').toString('base64') }, 410],
    [{ continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":999999,"start":"a"}').toString('base64') }, 504],
    [{ resourceVersionMatch: 'Exact' }, 422],
    [{ resourceVersionMatch: 'Sometimes', resourceVersion: '1' }, 422],
    [{ resourceVersionMatch: 'Exact', resourceVersion: '0' }, 422],
    [{ resourceVersionMatch: 'Exact', resourceVersion: '1', continue: 'x' }, 422],
  ])('refuses %j with %i', (options, code) => {
    let error: unknown;
    try {
      list(options);
    } catch (reason) {
      error = reason;
    }
    expect(error).toMatchObject({ details: { status: { code } } });
  });
});
