import { describe, expect, it } from 'vitest';
import { parseQuantity } from './quantity.ts';
import { actionForVolume, parseResourcePolicies } from './resource-policies.ts';
import { volumeFacts, type VolumeObjects } from './volume-facts.ts';

const policy = (conditions: object, type = 'skip') => ({ conditions, action: { type } });
const document = (...volumePolicies: object[]) => ({ version: 'v1', volumePolicies });
const persistentVolume = {
  spec: {
    capacity: { storage: '50Gi' },
    storageClassName: 'fast',
    csi: { driver: 'ebs', volumeAttributes: { a: '1', b: '2' } },
  },
};
const claim = {
  metadata: { labels: { app: 'x' } },
  spec: { volumeMode: 'Block', accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] },
  status: { phase: 'Bound' },
};
const nfs = { persistentVolume: { spec: { capacity: { storage: '1Gi' }, nfs: { server: 's', path: '/p' } } } };

describe('a volume policy', () => {
  it.each<[string, object, VolumeObjects, boolean]>([
    ['nothing', {}, { persistentVolume }, true],
    ['in the range', { capacity: '10Gi,100Gi' }, { persistentVolume }, true],
    ['at its end', { capacity: '50Gi,50Gi' }, { persistentVolume }, true],
    ['below', { capacity: '60Gi,' }, { persistentVolume }, false],
    ['above', { capacity: '0,40Gi' }, { persistentVolume }, false],
    ['open at the end', { capacity: ' 10Gi , ' }, { persistentVolume }, true],
    ['its class', { storageClass: ['slow', 'fast'] }, { persistentVolume }, true],
    ['another class', { storageClass: ['slow'] }, { persistentVolume }, false],
    ['a class, for a volume without', { storageClass: ['slow'] }, nfs, false],
    ['any csi', { csi: {} }, { persistentVolume }, true],
    ['its driver', { csi: { driver: 'ebs', volumeAttributes: { a: '1' } } }, { persistentVolume }, true],
    ['other attributes', { csi: { driver: 'ebs', volumeAttributes: { a: '9' } } }, { persistentVolume }, false],
    ['csi, for nfs', { csi: {} }, nfs, false],
    ['any nfs', { nfs: {} }, nfs, true],
    ['its server', { nfs: { server: 's' } }, nfs, true],
    ['its path', { nfs: { path: '/p' } }, nfs, true],
    ['another server', { nfs: { server: 't', path: '/p' } }, nfs, false],
    ['nfs, for csi', { nfs: {} }, { persistentVolume }, false],
    ['its type', { volumeTypes: ['hostPath', 'csi'] }, { persistentVolume }, true],
    ['a type of a pod', { volumeTypes: ['emptyDir'] }, { podVolume: { name: 'x', emptyDir: {} } }, true],
    ['another type', { volumeTypes: ['emptyDir'] }, { podVolume: { name: 'x', configMap: {} } }, false],
    ['labels of the claim', { pvcLabels: { app: 'x' } }, { persistentVolume, claim }, true],
    ['other labels', { pvcLabels: { app: 'y' } }, { persistentVolume, claim }, false],
    ['labels, without a claim', { pvcLabels: { app: 'x' } }, { persistentVolume }, false],
    ['the phase', { pvcPhase: ['Bound'] }, { claim }, true],
    ['another phase', { pvcPhase: ['Pending'] }, { claim }, false],
    ['the mode', { pvcVolumeMode: 'Block' }, { claim }, true],
    ['another mode', { pvcVolumeMode: 'Filesystem' }, { claim }, false],
    ['the same access, in any order', { pvcAccessModes: ['ReadOnlyMany', 'ReadWriteOnce'] }, { claim }, true],
    ['less access', { pvcAccessModes: ['ReadWriteOnce'] }, { claim }, false],
    ['one of two conditions', { storageClass: ['fast'], pvcPhase: ['Bound'] }, { persistentVolume }, false],
  ])('that asks for %s', (_, conditions, volume, expected) => {
    const { policies, problems } = parseResourcePolicies(document(policy(conditions)));
    expect(problems).toEqual([]);
    expect(actionForVolume(policies!, volumeFacts(volume))?.type).toBe(expected ? 'skip' : undefined);
  });

  it('gives way to the first that matches', () => {
    const { policies } = parseResourcePolicies(
      document(policy({ volumeTypes: ['nfs'] }), policy({}, 'fs-backup'), policy({}, 'snapshot')),
    );
    expect(actionForVolume(policies!, volumeFacts({ persistentVolume }))).toEqual({ type: 'fs-backup' });
  });
});

describe('parseResourcePolicies', () => {
  it.each<[string, unknown, string]>([
    ['nothing', null, 'the document: '],
    ['another version', { version: 'v2' }, 'version: expected v1'],
    ['an unknown field', { version: 'v1', more: 1 }, 'Unrecognized key: "more"'],
    ['an unknown condition', document(policy({ size: '1' })), 'volumePolicies.0.conditions: Unrecognized key: "size"'],
    ['an unknown action', document(policy({}, 'burn')), 'volumePolicies.0.action.type: '],
    [
      'a broken range',
      document(policy({ capacity: '10Gi' })),
      'volumePolicies.0.conditions.capacity: expected a range such as "10Gi,100Gi", got "10Gi"',
    ],
    ['a range the wrong way', document(policy({ capacity: '10Gi,1Gi' })), 'expected a range'],
    ['no amount', document(policy({ capacity: 'big,' })), 'expected a range'],
    [
      'attributes of no driver',
      document(policy({ csi: { volumeAttributes: { a: '1' } } })),
      'volumeAttributes need a driver',
    ],
    [
      'a star',
      { version: 'v1', includeExcludePolicy: { includedClusterScopedResources: ['*'] } },
      "'*' cannot be used",
    ],
    [
      'in and out',
      {
        version: 'v1',
        includeExcludePolicy: { includedClusterScopedResources: ['a'], excludedClusterScopedResources: ['a'] },
      },
      '"a" is both included and excluded',
    ],
  ])('names %s', (_, given, expected) => {
    const { policies, problems } = parseResourcePolicies(given);
    expect(policies).toBeUndefined();
    expect(problems.join('\n')).toContain(expected);
  });

  it('takes a filter alone', () => {
    const { policies } = parseResourcePolicies({
      version: 'v1',
      includeExcludePolicy: { excludedNamespaceScopedResources: ['secrets'] },
    });
    expect(policies?.includeExcludePolicy).toMatchObject({
      excludedNamespaceScopedResources: ['secrets'],
      includedClusterScopedResources: [],
    });
  });
});

it.each<[string, number | undefined]>([
  ['0', 0],
  ['10Gi', 10 * 1024 ** 3],
  ['1.5k', 1500],
  ['500m', 0.5],
  ['1e3', 1000],
  ['2E', 2e18],
  ['.5Ki', 512],
  ['', undefined],
  ['Gi', undefined],
  ['1 Gi', undefined],
])('reads the amount "%s"', (text, expected) => {
  expect(parseQuantity(text)).toBe(expected);
});
