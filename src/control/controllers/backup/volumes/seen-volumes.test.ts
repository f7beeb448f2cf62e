import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../base/index.ts';
import type { Collected } from '../items/collected.ts';
import { SeenVolumes } from './seen-volumes.ts';

function item(groupResource: string, namespace: string | undefined, object: JsonObject): Collected {
  return { key: { groupResource, name: 'v', ...(namespace === undefined ? {} : { namespace }) }, object } as Collected;
}

it('keeps of claims and volumes what decides, and not what programs note down about them', () => {
  const seen = new SeenVolumes();
  const metadata = {
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'example.com/a': 'b' },
    labels: { tier: 'gold' },
    managedFields: [{ manager: 'm' }],
    name: 'v',
  };
  seen.see(item('persistentvolumes', undefined, { metadata, spec: { capacity: {} } }));
  seen.see(item('persistentvolumeclaims', 'shop', { metadata: { name: 'v' }, spec: { volumeName: 'v' } }));
  seen.see(item('persistentvolumeclaims', 'shop', { metadata: { name: 'unbound' }, spec: {} }));
  const slim = { annotations: { 'example.com/a': 'b' }, labels: { tier: 'gold' }, name: 'v' };
  expect(seen.volumes.get('v')).toEqual({ metadata: slim, spec: { capacity: {} } });
  expect(seen.claims).toEqual([
    { namespace: 'shop', name: 'v', object: { metadata: { name: 'v' }, spec: { volumeName: 'v' } } },
  ]);
});

it('does not look into other items, which would have them parsed', () => {
  const secret = Object.defineProperty(item('secrets', 'shop', {}), 'object', {
    get: () => {
      throw new Error('looked at');
    },
  });
  new SeenVolumes().see(secret);
  expect(() => {
    new SeenVolumes().see(Object.defineProperty(item('pods', 'shop', {}), 'object', { get: () => ({}) }));
  }).not.toThrow();
});
