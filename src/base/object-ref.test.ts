import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatRef, refKey, type ObjectRef } from './index.ts';

it('reads as people write it', () => {
  expect(formatRef({ apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web-0' })).toBe('Pod shop/web-0');
  expect(formatRef({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' })).toBe('Namespace shop');
});

it('equal references have equal keys, different ones different keys', () => {
  const name = fc.constantFrom('a', 'b', 'a.b', 'system:node', 'a-b');
  const ref = fc.record<ObjectRef>(
    { apiVersion: fc.constantFrom('v1', 'apps/v1'), kind: fc.constantFrom('Pod', 'Job'), namespace: name, name },
    { requiredKeys: ['apiVersion', 'kind', 'name'] },
  );
  fc.assert(
    fc.property(ref, ref, (a, b) => {
      const isSame =
        a.apiVersion === b.apiVersion && a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
      expect(refKey(a) === refKey(b)).toBe(isSame);
      expect(refKey({ ...a, uid: 'x' })).toBe(refKey(a));
    }),
  );
});
