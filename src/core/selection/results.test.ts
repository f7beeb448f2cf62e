import { expect, it } from 'vitest';
import { resourceList, resultsOf } from './results.ts';

it('lists resources by kind, sorted', () => {
  const list = resourceList([
    { apiVersion: 'v1', kind: 'Pod', namespace: 'b', name: 'x' },
    { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'a', name: 'x' },
    { apiVersion: 'v1', kind: 'Pod', namespace: 'a', name: 'y' },
    { apiVersion: 'v1', kind: 'Node', name: 'n' },
  ]);
  expect(JSON.stringify(list)).toBe('{"apps/v1/Deployment":["a/x"],"v1/Node":["n"],"v1/Pod":["a/y","b/x"]}');
});

it('sorts messages to where they belong', () => {
  expect(resultsOf([])).toEqual({ errors: {}, warnings: {} });
  expect(
    resultsOf([
      { level: 'errors', about: { namespace: 'shop' }, text: '1' },
      { level: 'errors', about: { namespace: 'shop' }, text: '2' },
      { level: 'warnings', about: 'cluster', text: '3' },
      { level: 'errors', about: 'operation', text: '4' },
    ]),
  ).toEqual({ errors: { namespaces: { shop: ['1', '2'] }, velero: ['4'] }, warnings: { cluster: ['3'] } });
});
