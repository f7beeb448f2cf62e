import { expect, it } from 'vitest';
import { diffFields, meaningOf } from './field-diff.ts';

it('names the fields that differ, and only what users mean by an object', () => {
  const before = meaningOf({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', uid: '1', resourceVersion: '5', labels: { a: '1' } },
    spec: { replicas: 1, ports: [{ port: 80 }, { port: 81 }], gone: true },
    status: { ready: 1 },
  });
  const after = meaningOf({
    apiVersion: 'apps/v1beta1',
    kind: 'Deployment',
    metadata: { name: 'web', uid: '2', resourceVersion: '9', labels: { a: '1', b: '2' } },
    spec: { replicas: 3, ports: [{ port: 80 }, { port: 82 }] },
  });
  expect(diffFields(before, after)).toEqual([
    { path: 'metadata.labels.b', after: '"2"' },
    { path: 'spec.replicas', before: '1', after: '3' },
    { path: 'spec.ports[1].port', before: '81', after: '82' },
    { path: 'spec.gone', before: 'true' },
  ]);
});

it('has a limit, and cuts long values', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${String(at)}`, 'x'.repeat(5000)]));
  const changes = diffFields({}, many);
  expect(changes).toHaveLength(200);
  expect(changes[0]?.after?.length).toBeLessThan(2100);
});
