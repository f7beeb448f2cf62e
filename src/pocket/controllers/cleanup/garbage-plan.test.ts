import { describe, expect, it } from 'vitest';
import type { KubeObject, OwnerReference } from '../kinds/index.ts';
import { judge, type Owner } from './garbage-plan.ts';

const object = (name: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', uid: name, ...metadata },
});
const ref = (uid: string, blockOwnerDeletion?: boolean): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
});
const deleting = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const waiting = object('waiting', { ...deleting, finalizers: ['foregroundDeletion'] });
const OWNERS: Record<string, Owner> = { alive: object('alive'), absent: 'absent', unknown: 'unknown', waiting };
const judged = (item: KubeObject, dependents: KubeObject[] = []) =>
  judge(item, { owner: ({ uid }) => OWNERS[uid] ?? 'absent', dependents: () => dependents });
const child = (...uids: string[]) => object('child', { ownerReferences: uids.map((uid) => ref(uid)) });

describe('judge', () => {
  it('keeps what has no owners, and what has living ones', () => {
    expect(judged(object('free'))).toEqual({ kind: 'keep' });
    expect(judged(child('alive'))).toEqual({ kind: 'keep' });
  });

  it('deletes what lost all its owners, in the way it was asked to go', () => {
    expect(judged(child('absent'))).toEqual({ kind: 'delete', propagation: 'Background' });
    const orphaning = object('c', { ownerReferences: [ref('absent')], finalizers: ['orphan'] });
    expect(judged(orphaning)).toEqual({ kind: 'delete', propagation: 'Orphan' });
    const foreground = object('c', { ownerReferences: [ref('absent')], finalizers: ['foregroundDeletion'] });
    expect(judged(foreground)).toEqual({ kind: 'delete', propagation: 'Foreground' });
  });

  it('only forgets the owner that is gone when another is there', () => {
    expect(judged(child('absent', 'alive'))).toEqual({ kind: 'setOwners', ownerReferences: [ref('alive')] });
  });

  it('waits for kinds it does not know', () => {
    expect(judged(child('absent', 'unknown'))).toEqual({ kind: 'wait' });
  });

  it('goes when its owner waits for it, with its own dependents first', () => {
    expect(judged(child('waiting'))).toEqual({ kind: 'delete', propagation: 'Background' });
    expect(judged(child('waiting'), [object('grandchild')])).toEqual({ kind: 'delete', propagation: 'Foreground' });
    expect(judged(child('waiting', 'alive'))).toEqual({ kind: 'setOwners', ownerReferences: [ref('alive')] });
  });

  it('breaks a circle', () => {
    const circular = object('child', { ownerReferences: [ref('waiting', true)] });
    expect(judged(circular, [waiting])).toEqual({ kind: 'setOwners', ownerReferences: [ref('waiting', false)] });
  });

  it('lets an owner go when no dependent blocks it', () => {
    const blocking = object('a', { ownerReferences: [ref('waiting', true)] });
    const other = object('b', { ownerReferences: [ref('waiting')] });
    expect(judged(waiting, [blocking, other])).toEqual({ kind: 'keep' });
    expect(judged(waiting, [other])).toEqual({ kind: 'release', finalizer: 'foregroundDeletion' });
  });

  it('orphans the dependents of an owner that was deleted so', () => {
    const dependents = [object('a')];
    const owner = object('o', { ...deleting, finalizers: ['orphan'] });
    expect(judged(owner, dependents)).toEqual({ kind: 'orphan', dependents });
  });

  it('leaves alone what is going by itself', () => {
    expect(judged(object('x', { ...deleting, ownerReferences: [ref('absent')], finalizers: ['mine'] }))).toEqual({
      kind: 'keep',
    });
  });
});
