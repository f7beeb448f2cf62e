import { describe, expect, it } from 'vitest';
import type { Json } from '../../../base/index.ts';
import type { KubeObject } from '../port.ts';
import { holdsWhatWasSent } from './sent-object.ts';

function object(fields: Record<string, Json>, metadata: Record<string, Json> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'a', ...metadata }, ...fields };
}
const holds = (sent: KubeObject, found: KubeObject): boolean => holdsWhatWasSent(sent, found);

describe('holdsWhatWasSent', () => {
  it('lets the server add', () => {
    const sent = object({ spec: { containers: [{ name: 'c' }] } }, { labels: { app: 'x' } });
    const found = object(
      { spec: { containers: [{ name: 'c', imagePullPolicy: 'Always' }], dnsPolicy: 'ClusterFirst' }, status: {} },
      { labels: { app: 'x', added: 'y' }, uid: 'u' },
    );
    expect(holds(sent, found)).toBe(true);
  });

  it.each([
    ['another value', { spec: { a: 1 } }, { spec: { a: 2 } }],
    ['a value of another type', { spec: { a: 1 } }, { spec: { a: '1' } }],
    ['a missing value', { spec: { a: 1 } }, { spec: {} }],
    ['a missing part', { spec: { a: 1 } }, {}],
    ['a longer list', { spec: { a: [1] } }, { spec: { a: [1, 2] } }],
    ['an object for a value', { spec: { a: { b: 1 } } }, { spec: { a: 1 } }],
    ['a list for an object', { spec: { a: { b: 1 } } }, { spec: { a: [1] } }],
    ['an integer that differs beyond 2^53', { spec: { a: 9007199254740993n } }, { spec: { a: 9007199254740992n } }],
  ])('refuses %s', (_name, sent, found) => {
    expect(holds(object(sent), object(found))).toBe(false);
  });

  it('refuses other labels, annotations, owners and finalizers', () => {
    for (const part of [
      { labels: { a: 'b' } },
      { annotations: { a: 'b' } },
      { ownerReferences: [{ uid: 'u' }] },
      { finalizers: ['f'] },
    ]) {
      expect(holds(object({}, part), object({}))).toBe(false);
    }
  });

  it('forgives empty values, which Go leaves out, and the status, which servers drop', () => {
    const sent = object({
      spec: { a: '', b: [], c: {}, d: false, e: 0, f: null, g: { h: [] } },
      status: { phase: 'New' },
    });
    expect(holds(sent, object({ spec: {} }))).toBe(true);
    expect(holds(sent, object({}))).toBe(true);
  });

  it("compares a Secret's stringData with its data", () => {
    const sent = object({ stringData: { key: 'value' } });
    expect(holds(sent, object({ data: { key: 'dmFsdWU=' } }))).toBe(true);
    expect(holds(sent, object({ data: { key: 'b3RoZXI=' } }))).toBe(false);
  });
});
