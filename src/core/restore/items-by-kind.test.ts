import { expect, it } from 'vitest';
import { ItemsByKind } from './items-by-kind.ts';

it('counts by kind, the most first, and gives a shared name its group', () => {
  const items = new ItemsByKind();
  items.plan('events', 1);
  items.plan('events.events.k8s.io', 3);
  items.plan('pods', 2);
  items.settle('pods', 'created');
  items.settle('pods', 'failed');
  items.settle('secrets', 'skipped');
  const kinds: Record<string, string> = { pods: 'Pod', secrets: 'Secret' };
  const zero = { created: 0, updated: 0, skipped: 0, failed: 0 };
  expect(items.list((groupResource) => kinds[groupResource] ?? 'Event')).toEqual([
    { ...zero, kind: 'Event.events.k8s.io', total: 3 },
    { ...zero, kind: 'Pod', total: 2, created: 1, failed: 1 },
    { ...zero, kind: 'Event', total: 1 },
    { ...zero, kind: 'Secret', total: 1, skipped: 1 },
  ]);
});

it('tells of at most 50 kinds', () => {
  const items = new ItemsByKind();
  for (let kind = 0; kind < 60; kind += 1) items.plan(`kind${kind}`, kind);
  expect(items.list((groupResource) => groupResource)).toHaveLength(50);
});
