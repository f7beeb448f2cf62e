import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/index.ts';
import { parseResourcePolicies, type ResourcePolicies } from '../../selection/index.ts';
import { chooseVolumes, type VolumeQuestion } from './choose-volumes.ts';
import type { Claim, Pod } from './claim.ts';

const IN = 'backup.velero.io/backup-volumes';
const OUT = 'backup.velero.io/backup-volumes-excludes';

const claim = (name: string, spec: JsonObject = {}): Claim => ({
  namespace: 'shop',
  name,
  object: { spec: { volumeName: `pv-${name}`, accessModes: ['ReadWriteOnce'], ...spec } },
});

function pod(name: string, claims: string[], more: { annotations?: JsonObject; phase?: string } = {}): Pod {
  const volumes = claims.map((one) => ({ name: `v-${one}`, persistentVolumeClaim: { claimName: one } }));
  const { annotations = {}, phase = 'Running' } = more;
  const object = { metadata: { annotations }, spec: { nodeName: 'n', volumes }, status: { phase } };
  return { namespace: 'shop', name, object };
}

function policies(type: string): ResourcePolicies {
  const document = { version: 'v1', volumePolicies: [{ conditions: {}, action: { type } }] };
  return parseResourcePolicies(document).policies!;
}

function choose(question: Partial<VolumeQuestion>): string[] {
  const { choices } = chooseVolumes({
    claims: [claim('a')],
    persistentVolumes: new Map(),
    pods: [],
    areFilesWanted: false,
    ...question,
  });
  return choices.map((choice) => {
    if (choice.kind === 'copy') return `copy ${choice.volume} at ${choice.use.pod.name}/${choice.use.volumeName}`;
    if (choice.kind === 'snapshot') return `snapshot ${choice.volume} by ${choice.plugin}`;
    return `${choice.isExcluded ? 'excluded' : 'missing'}: ${choice.reason}`;
  });
}

describe('the data of a claim', () => {
  it.each<[string, Partial<VolumeQuestion>, string | RegExp]>([
    [
      'is asked for by the annotation',
      { pods: [pod('p', ['a'], { annotations: { [IN]: 'v-a' } })] },
      'copy pv-a at p/v-a',
    ],
    ['is wanted by default', { pods: [pod('p', ['a'])], areFilesWanted: true }, 'copy pv-a at p/v-a'],
    ['is not asked for', { pods: [pod('p', ['a'])] }, /^missing: nobody asked for its files/],
    [
      'is excluded by the annotation',
      { pods: [pod('p', ['a'], { annotations: { [OUT]: 'v-a' } })], areFilesWanted: true },
      /^excluded: pod p excludes it/,
    ],
    [
      'is in no running pod',
      { pods: [pod('p', ['a'], { phase: 'Pending' })], areFilesWanted: true },
      /^missing: no running pod mounts it/,
    ],
    ['is in no pod', { areFilesWanted: true }, /^missing: no running pod mounts it/],
    [
      'is copied once, at the first pod that runs',
      { pods: [pod('p', ['a'], { phase: 'Failed' }), pod('q', ['a']), pod('r', ['a'])], areFilesWanted: true },
      'copy pv-a at q/v-a',
    ],
    [
      'is a block volume',
      { claims: [claim('a', { volumeMode: 'Block' })], pods: [pod('p', ['a'])], areFilesWanted: true },
      /^missing: it is a block volume/,
    ],
    [
      'belongs to one pod alone',
      { claims: [claim('a', { accessModes: ['ReadWriteOncePod'] })], pods: [pod('p', ['a'])], areFilesWanted: true },
      /^missing: it is in use and ReadWriteOncePod/,
    ],
    ['goes to the plugin', { nativePlugin: 'example.com/x' }, 'snapshot pv-a by example.com/x'],
    [
      'goes to a mover before the plugin',
      { nativePlugin: 'x', pods: [pod('p', ['a'])], areFilesWanted: true },
      'copy pv-a at p/v-a',
    ],
    [
      'is not to be a snapshot',
      { nativePlugin: 'x', snapshotVolumes: false },
      /^excluded: the backup is without volumes/,
    ],
    ['is skipped by policy', { policies: policies('skip'), nativePlugin: 'x' }, /^excluded: a resource policy/],
    ['is copied by policy', { policies: policies('fs-backup'), pods: [pod('p', ['a'])] }, 'copy pv-a at p/v-a'],
    [
      'is copied by policy although no pod runs',
      { policies: policies('fs-backup'), pods: [pod('p', ['a'], { phase: 'Pending' })] },
      /^missing: no running pod/,
    ],
    [
      'goes to the plugin by policy, whatever the annotations say',
      { policies: policies('snapshot'), nativePlugin: 'x', pods: [pod('p', ['a'])], areFilesWanted: true },
      'snapshot pv-a by x',
    ],
    [
      'is a snapshot by policy and nobody takes it',
      { policies: policies('snapshot') },
      /^missing: a resource policy asks/,
    ],
    ['is left to a custom plugin', { policies: policies('custom') }, /^missing: a resource policy leaves it/],
  ])('%s', (_, question, expected) => {
    expect(choose(question)).toEqual([typeof expected === 'string' ? expected : expect.stringMatching(expected)]);
  });

  it('does not exist as long as the claim is not bound', () => {
    const unbound: Claim = { namespace: 'shop', name: 'a', object: { spec: {} } };
    expect(choose({ claims: [unbound], areFilesWanted: true })).toEqual([]);
  });

  it('is not taken from a pod that ends', () => {
    const ending = pod('p', ['a']);
    (ending.object['metadata'] as JsonObject)['deletionTimestamp'] = '2026-01-31T12:00:00Z';
    expect(choose({ pods: [ending], areFilesWanted: true })[0]).toMatch(/^missing: no running pod/);
  });

  it('of a generic ephemeral volume is that of its own claim', () => {
    const object = { spec: { nodeName: 'n', volumes: [{ name: 'tmp', ephemeral: {} }] }, status: { phase: 'Running' } };
    const pods = [{ namespace: 'shop', name: 'p', object }];
    expect(choose({ claims: [claim('p-tmp')], pods, areFilesWanted: true })).toEqual(['copy pv-p-tmp at p/tmp']);
  });
});

it('names volumes of pods that no mover can reach', () => {
  const object = {
    spec: {
      nodeName: 'n',
      volumes: [
        { name: 'tmp', emptyDir: {} },
        { name: 'c', configMap: {} },
      ],
    },
    status: { phase: 'Running' },
  };
  const pods = [{ namespace: 'shop', name: 'p', object }];
  const ask = (policy?: ResourcePolicies) =>
    chooseVolumes({ claims: [], persistentVolumes: new Map(), pods, areFilesWanted: true, policies: policy }).uncopied;
  expect(ask()).toEqual([
    { pod: pods[0], volumeName: 'tmp', reason: expect.stringContaining('it is emptyDir') as string },
  ]);
  expect(ask(policies('skip'))).toEqual([]);
  // As Velero does: somebody asked for them, and whoever reads the warnings has to learn that they are not there.
  Object.assign(object, { status: { phase: 'Pending' } });
  expect(ask()).toEqual([{ pod: pods[0], volumeName: 'tmp', reason: 'its pod does not run' }]);
});
