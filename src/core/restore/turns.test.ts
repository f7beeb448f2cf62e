import { expect, it } from 'vitest';
import { reasonToWait, type PendingRestore } from './turns.ts';

const restore = (name: string, spec: PendingRestore['spec'], more: Partial<PendingRestore> = {}): PendingRestore => ({
  ...{ name, createdAt: '2026-01-01T00:00:00Z', isRunning: false, spec },
  ...more,
});
const into = (...includedNamespaces: string[]): PendingRestore['spec'] => ({ includedNamespaces });
const ahead = 'restore a goes into the same namespaces and is ahead';

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
  ['a glob may mean anything', restore('a', into('x*')), restore('b', into('y')), ahead],
  ['no choice means everything', restore('a', {}), restore('b', into('y')), ahead],
  [
    'a mapping moves it away',
    restore('a', into('x')),
    restore('b', { ...into('x'), namespaceMapping: { x: 'y' } }),
    undefined,
  ],
  [
    'a mapping moves it in',
    restore('a', into('y')),
    restore('b', { ...into('x'), namespaceMapping: { x: 'y' } }),
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
