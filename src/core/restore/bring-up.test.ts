import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import type { JsonObject } from '../../base/index.ts';
import { decideBringUp, planOfMigration } from './bring-up.ts';

const PLAN = 'migration.openshift.io/migrated-by-migplan';
const MIGRATION = 'migration.openshift.io/migrated-by-migmigration';
const STAGE = 'migration-stage-restore';
const FINAL = 'migration-final-restore';

describe('a restore of a migration', () => {
  const planOf = (labels: Record<string, string>) => planOfMigration({ metadata: { labels } });

  it.each<[string, Record<string, string>, string | undefined]>([
    ['has the labels of a stage restore', { [PLAN]: 'p', [MIGRATION]: 'm', [STAGE]: 'm' }, 'p'],
    ['has the labels of a final restore', { [PLAN]: 'p', [MIGRATION]: 'm', [FINAL]: 'm' }, 'p'],
    ['is not one with the label of the plan alone', { [PLAN]: 'p' }, undefined],
    ['is not one without the label of a restore', { [PLAN]: 'p', [MIGRATION]: 'm' }, undefined],
    ['is not one with the restore of another migration', { [PLAN]: 'p', [MIGRATION]: 'm', [STAGE]: 'n' }, undefined],
    ['is not one without a migration', { [PLAN]: 'p', [STAGE]: 'm' }, undefined],
    ['is not one of an empty plan', { [PLAN]: '', [MIGRATION]: 'm', [STAGE]: 'm' }, undefined],
    ['is not one of an empty migration', { [PLAN]: 'p', [MIGRATION]: '', [STAGE]: '', [FINAL]: '' }, undefined],
    ['is not one without labels', {}, undefined],
  ])('%s', (_, labels, plan) => {
    expect(planOf(labels)).toBe(plan);
  });

  it('is none that has no labels at all', () => {
    expect(planOfMigration({ metadata: {} })).toBeUndefined();
  });
});

interface Change {
  labels?: JsonObject;
  metadata?: JsonObject;
  spec?: JsonObject;
}

const claimOf = ({ labels = { [PLAN]: 'p' }, metadata = {}, spec = {} }: Change = {}): JsonObject => ({
  metadata: { name: 'data', namespace: 'shop', labels, ...metadata },
  spec,
});
const podOf = (phase: string | undefined, claim = 'data', labels: JsonObject = {}): JsonObject => ({
  metadata: { name: `pod-${phase ?? 'new'}`, labels },
  spec: {
    volumes: [
      { name: 'tmp', emptyDir: {} },
      { name: 'v', persistentVolumeClaim: { claimName: claim } },
    ],
  },
  ...(phase === undefined ? {} : { status: { phase } }),
});
const OWN = { 'headway.io/pod': 'mover', 'headway.io/owner-uid': 'uid-1' };
const decide = (change: Partial<Parameters<typeof decideBringUp>[0]> = {}) =>
  decideBringUp({ plan: 'p', claim: claimOf(), pods: [], restoreUid: 'uid-1', ...change });

describe('a claim that exists', () => {
  it('is brought up by a restore of its plan if no pod mounts it', () => {
    expect(decide()).toEqual({ isBroughtUp: true });
  });

  it('is nothing to speak of for the restore of a user', () => {
    for (const plan of [undefined, '']) {
      expect(decide({ plan, claim: claimOf({ labels: { [PLAN]: '' } }) })).toEqual({ isBroughtUp: false });
    }
  });

  it.each<[string, Parameters<typeof decide>[0], RegExp]>([
    ['has no label', { claim: claimOf({ labels: {} }) }, /does not carry the label/],
    ['has an empty label', { claim: claimOf({ labels: { [PLAN]: '' } }) }, /does not carry the label/],
    ['is of another plan', { claim: claimOf({ labels: { [PLAN]: 'p2' } }) }, /does not carry the label/],
    ['has a label that is no text', { claim: claimOf({ labels: { [PLAN]: ['p'] } }) }, /does not carry the label/],
    [
      'has the label as an annotation',
      { claim: claimOf({ labels: {}, metadata: { annotations: { [PLAN]: 'p' } } }) },
      /label/,
    ],
    [
      'is being deleted',
      { claim: claimOf({ metadata: { deletionTimestamp: '2026-11-18T00:00:00Z' } }) },
      /being deleted/,
    ],
    ['is a block volume', { claim: claimOf({ spec: { volumeMode: 'Block' } }) }, /block volume/],
    ['is filled by a plugin of its own', { native: 'example.com/x' }, /plugin example\.com\/x fills new claims only/],
    ['is filled by another restore', { filling: 'other' }, /restore other fills it/],
    ['is mounted', { pods: [podOf('Running')] }, /^pod pod-Running mounts it$/],
    ['is mounted by a pod that waits', { pods: [podOf('Pending')] }, /pod-Pending/],
    ['is mounted by a pod of which nobody has heard', { pods: [podOf('Unknown')] }, /pod-Unknown/],
    ['is mounted by a pod that is new', { pods: [podOf('Succeeded'), podOf(undefined)] }, /pod-new/],
    [
      'is mounted by the mover of another',
      { pods: [podOf('Running', 'data', { ...OWN, 'headway.io/owner-uid': 'uid-2' })] },
      /mounts/,
    ],
    [
      'is mounted by a pod that only says it is ours',
      { pods: [podOf('Running', 'data', { 'headway.io/owner-uid': 'uid-1' })] },
      /mounts/,
    ],
    [
      'is mounted by a mover, and nobody knows the restore',
      { restoreUid: '', pods: [podOf('Running', 'data', { ...OWN, 'headway.io/owner-uid': '' })] },
      /mounts/,
    ],
  ])('is kept if it %s', (_, change, why) => {
    expect(decide(change)).toEqual({ isBroughtUp: false, why: expect.stringMatching(why) as string });
  });

  it('is not kept for pods that have ended, mount others, or are its own movers', () => {
    const pods = [podOf('Succeeded'), podOf('Failed'), podOf('Running', 'other'), podOf('Running', 'data', OWN)];
    expect(decide({ pods })).toEqual({ isBroughtUp: true });
  });

  it('is brought up only with the very label of a plan and with no living pod, whatever else there is', () => {
    const uid = fc.constantFrom('', 'p', 'q', ' p', 'P');
    const phase = fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown', undefined);
    const pod = fc.tuple(phase, fc.constantFrom('data', 'data-2', ''));
    fc.assert(
      fc.property(fc.option(uid, { nil: undefined }), uid, fc.array(pod, { maxLength: 4 }), (plan, label, found) => {
        const pods = found.map(([one, claim]) => podOf(one, claim));
        const isFree = found.every(([one, claim]) => claim !== 'data' || one === 'Succeeded' || one === 'Failed');
        const isOfPlan = plan !== undefined && plan !== '' && plan === label;
        const { isBroughtUp } = decide({ plan, claim: claimOf({ labels: { [PLAN]: label } }), pods });
        expect(isBroughtUp).toBe(isOfPlan && isFree);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
