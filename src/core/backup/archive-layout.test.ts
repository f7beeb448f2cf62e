import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VELERO_LAYOUT } from './archive-layout.ts';

const { itemAt, pathsOf } = VELERO_LAYOUT;
const name = fc
  .string({ unit: fc.constantFrom('a', 'z', '0', '.', '-', ':', 'ü'), minLength: 1, maxLength: 20 })
  .filter((text) => text !== '.' && text !== '..');
const key = fc.record({ groupResource: name, namespace: name, name }, { requiredKeys: ['groupResource', 'name'] });

describe('the layout of Velero', () => {
  it('stores an item at its path and at the one of its version', () => {
    expect(pathsOf({ groupResource: 'deployments.apps', namespace: 'shop', name: 'web' }, 'v1')).toEqual([
      'resources/deployments.apps/namespaces/shop/web.json',
      'resources/deployments.apps/v1-preferredversion/namespaces/shop/web.json',
    ]);
    expect(pathsOf({ groupResource: 'persistentvolumes', name: 'data' }, 'v1')).toEqual([
      'resources/persistentvolumes/cluster/data.json',
      'resources/persistentvolumes/v1-preferredversion/cluster/data.json',
    ]);
  });

  it('finds an item again at its path, and only there', () => {
    fc.assert(
      fc.property(key, fc.constantFrom('v1', 'v2beta1'), (item, version) => {
        const [plain = '', versioned = ''] = pathsOf(item, version);
        expect(itemAt(plain)).toEqual(item);
        expect(itemAt(versioned)).toBeUndefined();
      }),
    );
  });

  it('never takes two items for one', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const same = pathsOf(a, 'v1')[0] === pathsOf(b, 'v1')[0];
        expect(same).toBe(
          JSON.stringify([a.groupResource, a.namespace, a.name]) ===
            JSON.stringify([b.groupResource, b.namespace, b.name]),
        );
      }),
    );
  });

  it.each([
    'metadata/version',
    'resources/pods/namespaces/shop/web',
    'resources/pods/namespaces/web.json',
    'resources/pods/cluster/shop/web.json',
    'resources/pods/other/shop/web.json',
    'resources/pods/namespaces/shop/.json',
    'resources/pods/namespaces/../web.json',
    'other/pods/namespaces/shop/web.json',
    'resources/pods',
    '',
  ])('sees no item at "%s"', (path) => {
    expect(itemAt(path)).toBeUndefined();
  });
});
