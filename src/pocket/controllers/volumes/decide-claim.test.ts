import { describe, expect, it } from 'vitest';
import type { Claim, ClaimSpec, StorageClass, VolumeObject, VolumeSpec } from '../kinds/index.ts';
import { bytesOf } from './claim-state.ts';
import { boundClaim, boundVolume, decideClaim } from './decide-claim.ts';
import { decideVolume } from './decide-volume.ts';
import { PROVISIONER } from './storage-classes.ts';

const claim = (spec: Partial<ClaimSpec> = {}, metadata: Partial<Claim['metadata']> = {}): Claim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'shop', uid: 'c1', resourceVersion: '7', ...metadata },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    storageClassName: 'manual',
    ...spec,
  },
});
const volume = (name: string, spec: Partial<VolumeSpec> = {}, change: Partial<VolumeObject> = {}): VolumeObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name, labels: { tier: name } },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
    storageClassName: 'manual',
    ...spec,
  },
  status: { phase: 'Available' },
  ...change,
});
const storageClass = (volumeBindingMode: string, provisioner = PROVISIONER): StorageClass => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'x' },
  provisioner,
  volumeBindingMode,
});
const decided = (one: Claim, volumes: VolumeObject[] = [], ofClass?: StorageClass) => {
  const decision = decideClaim(one, {
    volumes: () => volumes,
    volume: (name) => volumes.find(({ metadata }) => metadata.name === name),
    storageClass: () => ofClass,
  });
  if (decision.kind === 'bind') return `bind ${decision.volume.metadata.name}`;
  return decision.kind === 'phase' ? decision.phase : decision.kind;
};
const promisedTo = (uid?: string) => ({
  claimRef: { namespace: 'shop', name: 'data', ...(uid === undefined ? {} : { uid }) },
});
const completed = { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } };

describe('decideClaim', () => {
  it('takes the smallest volume that fits', () => {
    const volumes = [
      volume('large', { capacity: { storage: '10Gi' } }),
      volume('small'),
      volume('tiny', { capacity: { storage: '1G' } }),
    ];
    expect(decided(claim(), volumes)).toBe('bind small');
  });

  it.each([
    ['class', { storageClassName: 'other' }],
    ['access', { accessModes: ['ReadWriteMany'] }],
    ['mode', { volumeMode: 'Block' }],
    ['another claim', { claimRef: { namespace: 'shop', name: 'other' } }],
    ['size', { capacity: { storage: '1023Mi' } }],
  ])('does not take one of another %s', (_name, spec) => {
    expect(decided(claim(), [volume('v', spec)])).toBe('Pending');
  });

  it('follows the selector, and makes nothing to order for one', () => {
    const picky = claim({ selector: { matchLabels: { tier: 'b' } } });
    expect(decided(picky, [volume('a'), volume('b')])).toBe('bind b');
    expect(decided(picky, [volume('a')], storageClass('Immediate'))).toBe('Pending');
  });

  it('prefers what is promised to it over what is smaller, whatever its class', () => {
    const promised = volume('mine', { ...promisedTo(), capacity: { storage: '5Gi' }, storageClassName: '' });
    expect(decided(claim(), [volume('small'), promised])).toBe('bind mine');
    expect(decided(claim(), [volume('old', promisedTo('another-uid'))])).toBe('Pending');
  });

  it('provisions when its class is ours, at once or when a pod wants it', () => {
    expect(decided(claim(), [], storageClass('Immediate'))).toBe('provision');
    expect(decided(claim(), [], storageClass('Immediate', 'somebody.else/disk'))).toBe('Pending');
    expect(decided(claim(), [volume('v')], storageClass('WaitForFirstConsumer'))).toBe('Pending');
    const wanted = claim({}, { annotations: { 'volume.kubernetes.io/selected-node': 'pocket' } });
    expect(decided(wanted, [], storageClass('WaitForFirstConsumer'))).toBe('provision');
    expect(decided(wanted, [volume('v')], storageClass('WaitForFirstConsumer'))).toBe('bind v');
  });

  it('does not provision twice while the first is on its way to it', () => {
    const small = volume('pvc-c1', { ...promisedTo('c1'), capacity: { storage: '0' } });
    expect(decided(claim(), [small], storageClass('Immediate'))).toBe('Pending');
  });

  it('waits for the volume it names, and takes it when it may', () => {
    const named = claim({ volumeName: 'v' });
    expect(decided(named)).toBe('Pending');
    expect(decided(named, [volume('v')])).toBe('bind v');
    expect(decided(named, [volume('v', { capacity: { storage: '1' } })])).toBe('Pending');
    expect(decided(named, [volume('v', { claimRef: { namespace: 'shop', name: 'other', uid: 'o' } })])).toBe('Pending');
  });

  it('is lost without the volume it had', () => {
    const bound = claim({ volumeName: 'v' }, completed);
    expect(decided(bound)).toBe('Lost');
    expect(decided(bound, [volume('v', promisedTo('other'))])).toBe('Lost');
    expect(decided(bound, [volume('v', promisedTo('c1'))])).toBe('bind v');
    expect(decided(bound, [volume('v')])).toBe('bind v');
  });
});

describe('binding', () => {
  it('tells each of the other, and who chose', () => {
    const taken = boundVolume(volume('v'), claim());
    expect(taken.spec.claimRef).toEqual({
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      namespace: 'shop',
      name: 'data',
      uid: 'c1',
      resourceVersion: '7',
    });
    expect(taken.metadata.annotations).toEqual({ 'pv.kubernetes.io/bound-by-controller': 'yes' });
    expect(boundVolume(taken, claim())).toBe(taken);
    expect(boundVolume(volume('v', promisedTo()), claim()).metadata.annotations).toEqual({});
    expect(boundClaim(claim(), taken).metadata.annotations).toEqual({
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
    });
    expect(boundClaim(claim({ volumeName: 'v' }), taken).metadata.annotations).toEqual({
      'pv.kubernetes.io/bind-completed': 'yes',
    });
  });
});

describe('decideVolume', () => {
  const provisioned = { metadata: { name: 'v', annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } } };
  it.each([
    ['nobody', volume('v'), undefined, 'Available'],
    ['a promise', volume('v', promisedTo()), undefined, 'Available'],
    ['its claim', volume('v', promisedTo('c1')), claim({ volumeName: 'v' }), 'Bound'],
    ['a claim about to take it', volume('v', promisedTo('c1')), claim(), 'Available'],
    ['a claim that is gone', volume('v', promisedTo('c1')), undefined, 'Released'],
    ['another claim of the name', volume('v', promisedTo('c0')), claim(), 'Released'],
    [
      'a claim that is gone, to be deleted by others',
      volume('v', { ...promisedTo('c1'), persistentVolumeReclaimPolicy: 'Delete' }),
      undefined,
      'Failed',
    ],
    [
      'a claim that is gone, to be recycled',
      volume('v', { ...promisedTo('c1'), persistentVolumeReclaimPolicy: 'Recycle' }),
      undefined,
      'Failed',
    ],
  ])('of %s', (_name, one, owner, phase) => {
    expect(decideVolume(one, owner)).toMatchObject({ kind: 'phase', phase });
  });

  it('deletes only what we made', () => {
    const ours = volume('v', { ...promisedTo('c1'), persistentVolumeReclaimPolicy: 'Delete' }, provisioned);
    expect(decideVolume(ours, undefined)).toEqual({ kind: 'delete' });
    expect(decideVolume(ours, claim({ volumeName: 'other' }))).toEqual({ kind: 'delete' });
    const kept = volume('v', { ...promisedTo('c1'), persistentVolumeReclaimPolicy: 'Retain' }, provisioned);
    expect(decideVolume(kept, undefined)).toMatchObject({ phase: 'Released' });
  });

  it('is free again when its claim got another', () => {
    const chosen = volume('v', promisedTo('c1'), {
      metadata: { name: 'v', annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
    });
    expect(decideVolume(chosen, claim({ volumeName: 'other' }))).toEqual({ kind: 'release' });
  });
});

it.each([
  ['1Gi', 2 ** 30],
  ['1G', 1e9],
  ['500m', 0.5],
  ['1.5Ki', 1536],
  ['2e3', 2000],
  ['12', 12],
  [undefined, 0],
])('bytesOf %s', (text, bytes) => {
  expect(bytesOf(text)).toBe(bytes);
});
