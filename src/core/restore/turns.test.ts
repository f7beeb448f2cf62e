import { expect, it } from 'vitest';
import { reasonToWait, type PendingRestore } from './turns.ts';

const restore = (name: string, spec: PendingRestore['spec'], more: Partial<PendingRestore> = {}): PendingRestore => ({
  ...{ name, createdAt: '2026-01-01T00:00:00Z', isRunning: false, spec },
  ...more,
});
const into = (...includedNamespaces: string[]): PendingRestore['spec'] => ({ includedNamespaces });
const ahead = 'restore a is ahead and goes into the same namespace, x';
const unknown = 'restore a is ahead and may go into the same namespaces';
const from = (...namespaces: string[]): Partial<PendingRestore> => ({ namespaces });

it.each<[string, PendingRestore, PendingRestore, string | undefined]>([
  ['other namespaces do not wait', restore('a', into('x')), restore('b', into('y')), undefined],
  ['the same namespaces wait', restore('a', into('x')), restore('b', into('x', 'y')), ahead],
  ['the earlier of two goes first', restore('c', into('x')), restore('b', into('x')), undefined],
  [
    'a running one is ahead',
    restore('a', into('x'), { isRunning: true, createdAt: '2026-01-02T00:00:00Z' }),
    restore('b', into('x')),
    ahead,
  ],
  ['a glob may mean anything', restore('a', into('x*')), restore('b', into('y')), unknown],
  ['no choice means everything', restore('a', {}), restore('b', into('y')), unknown],
  ['a glob means what the backup has', restore('a', into('x*'), from('x1', 'z')), restore('b', into('z')), undefined],
  ['no choice means all that the backup has', restore('a', {}, from('x', 'z')), restore('b', into('x')), ahead],
  [
    'mappings of whole backups into other namespaces do not wait',
    restore('a', { namespaceMapping: { shop: 'shop-a' } }, from('shop')),
    restore('b', { namespaceMapping: { shop: 'shop-b' } }, from('shop')),
    undefined,
  ],
  [
    'a namespace that is not mapped is shared',
    restore('a', { namespaceMapping: { shop: 'shop-a' } }, from('shop', 'x', 'y')),
    restore('b', { namespaceMapping: { shop: 'shop-b' } }, from('shop', 'x', 'y')),
    `${ahead} and 1 more`,
  ],
  [
    'an excluded namespace is not shared',
    restore('a', {}, from('x', 'y')),
    restore('b', { excludedNamespaces: ['x'] }, from('x', 'z')),
    undefined,
  ],
  [
    'a mapping moves it away',
    restore('a', into('x')),
    restore('b', { ...into('x'), namespaceMapping: { x: 'y' } }),
    undefined,
  ],
  [
    'a mapping moves it in',
    restore('a', into('x')),
    restore('b', { ...into('y'), namespaceMapping: { y: 'x' } }),
    ahead,
  ],
])('%s', (_title, other, one, reason) => {
  expect(reasonToWait(one, [other, one], 4)).toBe(reason);
});

it('waits while as many run as may', () => {
  const running = ['a', 'b'].map((name) => restore(name, into(name), { isRunning: true }));
  expect(reasonToWait(restore('c', into('c')), running, 2)).toBe('2 restores are running');
  expect(reasonToWait(restore('c', into('c')), running, 3)).toBeUndefined();
});
