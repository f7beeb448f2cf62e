import { describe, expect, it } from 'vitest';
import { KubeLists, patientCalls } from '../../../../../test/backup/kube-lists.ts';
import { type } from '../../../../../test/backup/sample-cluster.ts';
import { isAppError } from '../../../../base/index.ts';
import { itemId, type ItemKey } from '../../../../core/progress/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { Additional } from './additional.ts';

const VOLUMES = type('', 'PersistentVolume', 'persistentvolumes', { namespaced: false });
const CLASSES = type('scheduling.k8s.io', 'PriorityClass', 'priorityclasses', { namespaced: false });
const names = (count: number, from = 0): string[] => Array.from({ length: count }, (_, at) => `v${from + at}`);
const volume = (name: string): ItemKey => ({ groupResource: 'persistentvolumes', name });

function additionalOf(lists: KubeLists, known: readonly KubeObject[] = []): Additional {
  const { signal } = new AbortController();
  const { kube } = lists;
  return new Additional({
    ...{ kube, signal, api: patientCalls(signal) },
    plan: {
      types: new Map([
        ['persistentvolumes', VOLUMES],
        ['priorityclasses.scheduling.k8s.io', CLASSES],
      ]),
    },
    get: async ({ name }, type) => {
      try {
        return await kube.get({ type, name });
      } catch (error) {
        if (isAppError(error, 'notFound')) return undefined;
        throw error;
      }
    },
    known: new Map(known.map((object) => [itemId(volume(object.metadata.name)), object])),
  });
}

async function found(additional: Additional): Promise<string[]> {
  const seen: string[] = [];
  for await (const { key, object } of additional.found()) seen.push(`${key.name}${object === undefined ? '?' : ''}`);
  return seen;
}

const need = (additional: Additional, keys: readonly ItemKey[]): void => {
  for (const key of keys) additional.add(itemId(key), key);
};

describe('items that others need', () => {
  it('are read several at a time, each once, kind by kind', async () => {
    const lists = new KubeLists().add(VOLUMES, ...names(20)).add(CLASSES, 'high');
    const additional = additionalOf(lists);
    const high = { groupResource: 'priorityclasses.scheduling.k8s.io', name: 'high' };
    need(additional, [volume('v1'), high, ...names(12).map(volume), { groupResource: 'gone', name: 'x' }]);
    expect(await found(additional)).toEqual(['v1', ...names(12).filter((name) => name !== 'v1'), 'high', 'x?']);
    expect(lists.gets).toHaveLength(13);
    expect(lists.mostAtOnce).toBeGreaterThan(8);
    expect(lists.pages).toEqual([]);
  });

  it('are taken from a list, if that is cheaper; what it does not have is asked for', async () => {
    const lists = new KubeLists().add(VOLUMES, ...names(1000));
    const additional = additionalOf(lists);
    need(additional, [...names(200, 100), 'gone'].map(volume));
    expect(await found(additional)).toEqual([...names(200, 100), 'gone?']);
    expect(lists.pages).toHaveLength(3);
    expect(lists.gets).toEqual(['persistentvolumes gone']);
    expect(lists.held).toBe(0);
  });

  it('are read one by one, if a list would be dearer, or is forbidden', async () => {
    const many = new KubeLists().add(VOLUMES, ...names(9000));
    const additional = additionalOf(many);
    need(additional, names(40).map(volume));
    expect(await found(additional)).toEqual(names(40));
    expect(many.pages).toHaveLength(1);
    const forbidden = new KubeLists().add(VOLUMES, ...names(100));
    forbidden.forbidden.add('persistentvolumes');
    const other = additionalOf(forbidden);
    need(other, names(40).map(volume));
    expect(await found(other)).toEqual(names(40));
    expect(forbidden.gets).toHaveLength(40);
  });

  it('are not read again, if they were read for something else', async () => {
    const lists = new KubeLists();
    const known = { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'v1' } };
    const additional = additionalOf(lists, [known]);
    need(additional, [volume('v1')]);
    expect(await found(additional)).toEqual(['v1']);
    expect(lists.gets).toEqual([]);
  });

  it('come too, if those that were found need them, and not if a list has given them meanwhile', async () => {
    const additional = additionalOf(new KubeLists().add(VOLUMES, ...names(3)));
    need(additional, [volume('v0'), volume('v2')]);
    expect(additional.add(itemId(volume('v0')), volume('v0'))).toBe(false);
    expect(additional.delete(itemId(volume('v2')))).toBe(true);
    expect(additional.delete(itemId(volume('v2')))).toBe(false);
    const seen: string[] = [];
    for await (const { key } of additional.found()) {
      seen.push(key.name);
      if (key.name === 'v0') need(additional, [volume('v1')]);
    }
    expect(seen).toEqual(['v0', 'v1']);
  });
});
