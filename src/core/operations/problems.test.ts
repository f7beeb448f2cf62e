import { expect, it } from 'vitest';
import { groupProblems, mergeProblems, rootCause, operationProblems } from './problems.ts';

it('groups equal errors under what they say alike', () => {
  const messages = Array.from({ length: 12 }, (_, at) => ({
    level: 'error' as const,
    text: `could not create Service shop/web-${String(at)}: port already allocated`,
  }));
  const [group, ...others] = groupProblems([
    { level: 'warning', text: 'volume pgdata is not in the backup' },
    ...messages,
    { level: 'error', text: 'could not create Pod shop/a: forbidden' },
  ]);
  expect(group).toMatchObject({
    level: 'error',
    count: 12,
    text: 'could not create Service (12): port already allocated',
  });
  expect(others.map(({ text }) => text)).toEqual([
    'could not create Pod shop/a: forbidden',
    'volume pgdata is not in the backup',
  ]);
});

it('counts the same message told twice', () => {
  const message = { level: 'error' as const, text: 'the store does not answer' };
  expect(groupProblems([message, message])[0]?.text).toBe('the store does not answer (2)');
});

it('keeps a bounded number of examples', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({
    level: 'error' as const,
    text: `item ${String(at)} failed`,
  }));
  expect(groupProblems(many)[0]).toMatchObject({ count: 1000, text: 'item (1000) failed' });
  expect(groupProblems(many)[0]?.examples).toHaveLength(20);
});

it('reads status: refusals, the reason of a failure, and conditions that tell of a problem', () => {
  const problems = operationProblems({
    validationErrors: ['no such location'],
    failureReason: 'canceled',
    conditions: [
      { type: 'Stalled', status: 'True', message: 'told elsewhere' },
      { type: 'VolumesNotCovered', status: 'True', message: 'claim shop/db is not in the backup' },
      { type: 'Other', status: 'False', message: 'does not hold' },
    ],
  });
  expect(problems.map(({ level, text }) => `${level}: ${text}`)).toEqual([
    'error: no such location',
    'warning: claim shop/db is not in the backup',
  ]);
});

it('tells claims without their data once', () => {
  const warning = (text: string) => groupProblems([{ level: 'warning', text }]);
  const [condition, other] = [warning('the data of 2 claims is not in the backup: a/b, a/c'), warning('slow')];
  const claim = (name: string) => ({
    level: 'warning' as const,
    text: `the data of PersistentVolumeClaim a/${name} is not in the backup and is not restored: why`,
  });
  const told = groupProblems([claim('b'), claim('c')]);
  expect(mergeProblems([...condition, ...other], told)).toEqual([...other, ...told]);
  expect(mergeProblems([...condition, ...other], [])).toEqual([...condition, ...other]);
});

it('tells why the API server refused, not how it was asked', () => {
  const why =
    'Service "web" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated';
  const text = (name: string): string =>
    `error restoring services shop/${name}: POST /api/v1/namespaces/shop/services: https://127.0.0.1:1 answered 422: ${why}`;
  expect(groupProblems([{ level: 'error', text: text('web') }])).toEqual([
    {
      level: 'error',
      count: 1,
      text: `error restoring services shop/web: ${why}`,
      examples: [`error restoring services shop/web: ${why}`],
    },
  ]);
});

it('puts the error that others follow from first, and names the cause that most share', () => {
  const error = (text: string) => ({ level: 'error' as const, text });
  const pods = (name: string) => error(`error restoring pods gone/${name}: namespaces "gone" not found`);
  const groups = groupProblems([pods('a'), pods('b'), error('error restoring namespaces gone: exceeded quota')]);
  expect(groups.map(({ count }) => count)).toEqual([1, 2]);
  expect(rootCause(groups)).toEqual({ text: 'error restoring namespaces gone: exceeded quota', count: 1 });
  const alike = groupProblems([
    pods('a'),
    pods('b'),
    error('error restoring jobs gone/c: namespaces "gone" not found'),
  ]);
  expect(rootCause(alike)).toEqual({ text: 'namespaces "gone" not found', count: 3 });
  expect(rootCause(groups.slice(0, 1))).toBeUndefined();
});
