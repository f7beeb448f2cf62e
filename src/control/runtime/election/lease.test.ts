import { describe, expect, it } from 'vitest';
import { durationMsOf, heldLease, holderOf, newLease, releasedLease, signOfLife } from './lease.ts';

const NOW = Date.UTC(2026, 0, 1, 10, 0, 0, 5);
const HOLD = { identity: 'pod-1', durationMs: 14_500 };

describe('lease', () => {
  it('is written as client-go reads it', () => {
    expect(newLease('velero', 'headway', HOLD, NOW)).toEqual({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'velero', name: 'headway' },
      spec: {
        holderIdentity: 'pod-1',
        leaseDurationSeconds: 15,
        acquireTime: '2026-01-01T10:00:00.005000Z',
        renewTime: '2026-01-01T10:00:00.005000Z',
        leaseTransitions: 0,
      },
    });
  });

  it('counts a transition only when the holder changes, and keeps fields it does not know', () => {
    const first = newLease('velero', 'headway', HOLD, NOW);
    const withMore = { ...first, spec: { ...(first['spec'] as object), strategy: 'OldestEmulationVersion' } };
    const renewed = heldLease(withMore, HOLD, NOW + 1000);
    expect(renewed['spec']).toMatchObject({ leaseTransitions: 0, acquireTime: '2026-01-01T10:00:00.005000Z' });
    const taken = heldLease(renewed, { ...HOLD, identity: 'pod-2' }, NOW + 2000);
    expect(taken['spec']).toMatchObject({
      leaseTransitions: 1,
      acquireTime: '2026-01-01T10:00:02.005000Z',
      strategy: 'OldestEmulationVersion',
    });
  });

  it('reads what others left out or never wrote', () => {
    const empty = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'headway' } };
    expect([holderOf(empty), durationMsOf(empty)]).toEqual(['', undefined]);
    const released = releasedLease(newLease('velero', 'headway', HOLD, NOW), NOW);
    expect([holderOf(released), durationMsOf(released)]).toEqual(['', 1000]);
  });

  it('sees a sign of life in a renewal, not in an edit of the metadata', () => {
    const lease = newLease('velero', 'headway', HOLD, NOW);
    const labelled = { ...lease, metadata: { ...lease.metadata, labels: { a: 'b' }, resourceVersion: '9' } };
    expect(signOfLife(labelled)).toBe(signOfLife(lease));
    expect(signOfLife(heldLease(lease, HOLD, NOW + 1))).not.toBe(signOfLife(lease));
  });
});
