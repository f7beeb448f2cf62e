import { expect, it } from 'vitest';
import type { JsonObject } from '../../../base/index.ts';
import type { Kube, KubeObject, Page } from '../../../edge/kube/index.ts';
import { placeInQueue, positionFor } from './queue.ts';

function backup(name: string, status: JsonObject, spec: unknown = {}): KubeObject {
  return { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name }, spec, status } as KubeObject;
}
const cached = (...backups: KubeObject[]): Map<string, KubeObject> =>
  new Map(backups.map((each) => [each.metadata.name, each]));

it('comes after what is queued, also when those before it have begun since', () => {
  const queued = [
    backup('b', { phase: 'Queued', queuePosition: 2 }),
    backup('c', { phase: 'Queued', queuePosition: 3 }),
  ];
  expect(positionFor(cached(...queued))).toBe(4);
  expect(positionFor(cached())).toBe(1);
});

it('does not come after what left the queue long ago and still carries its position', () => {
  const ended = ['Completed', 'InProgress', 'Failed'].map((phase) => backup(phase, { phase, queuePosition: 9 }));
  expect(positionFor(cached(...ended, backup('queued', { phase: 'Queued', queuePosition: 1 })))).toBe(2);
});

it('does not look into specs, of which there may be thousands, and some broken', () => {
  const unread = backup('old', { phase: 'Queued', queuePosition: 1 });
  Object.defineProperty(unread, 'spec', {
    get: () => {
      throw new Error('a spec was read');
    },
  });
  expect(positionFor(cached(unread))).toBe(2);
});

it('counts a queued backup without a position, or with a wrong one, as the first', () => {
  const wrong = [backup('a', { phase: 'Queued' }), backup('b', { phase: 'Queued', queuePosition: '7' })];
  expect(positionFor(cached(...wrong))).toBe(1);
});

it('takes a backup whose spec was broken since for a backup of everything', async () => {
  const broken = backup('broken', { phase: 'InProgress' }, { includedNamespaces: 'shop' });
  const next = backup('next', { phase: 'Queued', queuePosition: 1 }, { includedNamespaces: ['blog'] });
  const pending = [
    { object: broken, isRunning: true },
    { object: next, isRunning: false },
  ];
  expect(await placeInQueue(next, pending, { kube: twoNamespaces, concurrent: 5, signal })).toMatchObject({
    reason: expect.stringContaining('backup broken has the same namespaces') as string,
    status: { queuePosition: 1 },
  });
  pending[0] = { object: backup('well', { phase: 'InProgress' }, { includedNamespaces: ['shop'] }), isRunning: true };
  expect(await placeInQueue(next, pending, { kube: twoNamespaces, concurrent: 5, signal })).toBe('begin');
});

const { signal } = new AbortController();
async function* list(): AsyncGenerator<Page> {
  const items = ['shop', 'blog'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  yield await Promise.resolve({ items, resourceVersion: '1', restarted: false });
}
const twoNamespaces = { list } as unknown as Kube;
