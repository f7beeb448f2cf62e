import { objectAt, type JsonObject } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/port.ts';

export interface LeaseHold {
  identity: string;
  durationMs: number;
}

/** Empty when nobody holds it. */
export function holderOf(lease: KubeObject): string {
  const holder = specOf(lease)['holderIdentity'];
  return typeof holder === 'string' ? holder : '';
}

/** How long the holder said it may be silent; undefined if it did not say. */
export function durationMsOf(lease: KubeObject): number | undefined {
  const seconds = specOf(lease)['leaseDurationSeconds'];
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** Equal if and only if the holder gave no sign of life in between; metadata edits do not count. */
export function signOfLife(lease: KubeObject): string {
  const spec = specOf(lease);
  return JSON.stringify([holderOf(lease), spec['renewTime'], spec['acquireTime'], spec['leaseTransitions']]);
}

export function newLease(namespace: string, name: string, hold: LeaseHold, now: number): KubeObject {
  const lease: KubeObject = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace, name } };
  return heldLease(lease, hold, now);
}

/** The lease as its holder writes it; unknown fields are kept. */
export function heldLease(lease: KubeObject, hold: LeaseHold, now: number): KubeObject {
  const spec = specOf(lease);
  const isNew = holderOf(lease) !== hold.identity;
  const transitions = spec['leaseTransitions'];
  const count = typeof transitions === 'number' ? transitions : 0;
  const changed: JsonObject = {
    holderIdentity: hold.identity,
    // Rounded up: others may wait longer than necessary, never shorter.
    leaseDurationSeconds: Math.ceil(hold.durationMs / 1000),
    renewTime: microTime(now),
    acquireTime: isNew ? microTime(now) : spec['acquireTime'],
    leaseTransitions: isNew && Object.keys(spec).length > 0 ? count + 1 : count,
  };
  return { ...lease, spec: { ...spec, ...changed } };
}

export function releasedLease(lease: KubeObject, now: number): KubeObject {
  return {
    ...lease,
    spec: { ...specOf(lease), holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(now) },
  };
}

function specOf(lease: KubeObject): JsonObject {
  return objectAt(lease, 'spec');
}

/** Kubernetes' MicroTime has exactly six digits. */
function microTime(now: number): string {
  return new Date(now).toISOString().replace('Z', '000Z');
}
