import { expect, it } from 'vitest';
import { itemId, itemName } from './item-key.ts';

it('names an item for maps and for people', () => {
  const secret = { groupResource: 'secrets', namespace: 'shop', name: 'db' };
  const role = { groupResource: 'clusterroles.rbac.authorization.k8s.io', name: 'admin' };
  expect([itemId(secret), itemName(secret)]).toEqual(['secrets/shop/db', 'secrets shop/db']);
  expect(itemId(role)).toBe('clusterroles.rbac.authorization.k8s.io//admin');
  expect(itemName(role)).toBe('clusterroles.rbac.authorization.k8s.io admin');
});
