import { beforeEach, describe, expect, it } from 'vitest';
import { objectAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { memoryServer, TYPES, type MemoryServer } from '../../../../test/pocket/memory-server.ts';
import type { ApiObject } from '../object/index.ts';

const deployment = (name: string, replicas = 1): JsonObject => ({
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

describe('writing objects', () => {
  let server: MemoryServer;
  const { configMaps, deployments, namespaces, pods } = TYPES;
  const configMap = (name: string, more: JsonObject = {}): Promise<ApiObject> =>
    server.client.create(configMaps, { metadata: { name, namespace: 'default', ...more }, data: { a: '1' } });
  const place = (name: string, type: { group: string; version: string; plural: string } = configMaps) => ({
    type,
    namespace: 'default',
    name,
  });

  beforeEach(async () => {
    server = await memoryServer();
  });

  it('stamps what is new, and only what counts generations gets one', async () => {
    const map = await configMap('c', { uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 });
    expect(map.metadata.uid).not.toBe('mine');
    expect(map.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
    expect(map.metadata.generation).toBeUndefined();
    const made = await server.client.create(deployments, { ...deployment('d'), status: { replicas: 9 } });
    expect(made.metadata.generation).toBe(1);
    expect(valueAt(made, 'status', 'replicas')).not.toBe(9);
  });

  it('makes names that are free', async () => {
    const names = new Set<string>();
    for (let i = 0; i < 20; i += 1) {
      const { metadata } = await server.client.create(configMaps, {
        metadata: { generateName: 'x-', namespace: 'default' },
      });
      expect(metadata.name).toMatch(/^x-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      names.add(metadata.name);
    }
    expect(names.size).toBe(20);
  });

  it('counts a generation for a new spec, not for labels or status', async () => {
    const made = await server.client.create(deployments, deployment('d'));
    const labelled = await server.client.patch(place('d', deployments), 'merge', { metadata: { labels: { a: 'b' } } });
    expect(labelled.metadata.generation).toBe(1);
    const reported = await server.client.updateStatus(deployments, { ...labelled, spec: {}, status: { replicas: 3 } });
    expect(reported.metadata.generation).toBe(1);
    expect(objectAt(reported, 'status')['replicas']).toBe(3);
    expect(reported['spec']).toEqual(made['spec']);
    const scaled = await server.client.patch(place('d', deployments), 'merge', { spec: { replicas: 5 }, status: {} });
    expect(scaled.metadata.generation).toBe(2);
    expect(objectAt(scaled, 'status')['replicas']).toBe(3);
  });

  it('does not write what changes nothing', async () => {
    const made = await configMap('c');
    const again = await server.client.update(configMaps, made);
    expect(again.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  });

  it('refuses a write that rests on an old version or another object', async () => {
    const made = await configMap('c');
    await server.client.patch(place('c'), 'merge', { data: { b: '2' } });
    await expect(server.client.update(configMaps, made)).rejects.toMatchObject({ code: 'conflict' });
    const other = { ...made, metadata: { name: 'c', namespace: 'default', uid: 'other' } };
    await expect(server.client.update(configMaps, other)).rejects.toMatchObject({ code: 'invalid' });
    await expect(configMap('c')).rejects.toMatchObject({ code: 'alreadyExists' });
  });

  it('holds an object until its finalizers are gone', async () => {
    await configMap('c', { finalizers: ['example.com/a'] });
    await server.client.delete(place('c'));
    const held = await server.client.get(place('c'));
    expect(held.metadata).toMatchObject({ deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 });
    await server.client.delete(place('c'));
    const more = { metadata: { finalizers: ['example.com/a', 'example.com/b'] } };
    await expect(server.client.patch(place('c'), 'merge', more)).rejects.toMatchObject({ code: 'invalid' });
    const last = await server.client.patch(place('c'), 'merge', { metadata: { finalizers: null } });
    expect(last.metadata.resourceVersion).toBe(held.metadata.resourceVersion);
    await expect(server.client.get(place('c'))).rejects.toMatchObject({ code: 'notFound' });
  });

  it.each([
    ['Foreground', 'foregroundDeletion'],
    ['Orphan', 'orphan'],
  ])('remembers that dependents are deleted %s', async (propagation, finalizer) => {
    await server.client.create(deployments, deployment('d'));
    await server.client.delete(place('d', deployments), { propagation });
    const { metadata } = await server.client.get(place('d', deployments));
    expect(metadata.finalizers).toEqual([finalizer]);
    expect(metadata.generation).toBe(2);
    await server.client.delete(place('d', deployments), { propagation: 'Background' });
    await expect(server.client.get(place('d', deployments))).rejects.toMatchObject({ code: 'notFound' });
  });

  it('deletes only what the preconditions mean', async () => {
    const { metadata } = await configMap('c');
    const wrong = { preconditions: { uid: 'other' } };
    await expect(server.client.delete(place('c'), wrong)).rejects.toMatchObject({ code: 'conflict' });
    const old = { preconditions: { resourceVersion: '1' } };
    await expect(server.client.delete(place('c'), old)).rejects.toMatchObject({ code: 'conflict' });
    await server.client.delete(place('c'), { preconditions: { uid: metadata.uid ?? '' } });
    await expect(server.client.get(place('c'))).rejects.toMatchObject({ code: 'notFound' });
  });

  it('gives a running pod its grace period, which can only get shorter', async () => {
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 60 };
    await server.client.create(pods, { metadata: { name: 'p', namespace: 'default' }, spec });
    const podPlace = place('p', pods);
    await server.client.delete(podPlace);
    expect((await server.client.get(podPlace)).metadata).toMatchObject({
      deletionGracePeriodSeconds: 60,
      deletionTimestamp: '2026-01-01T00:01:00Z',
    });
    await server.client.delete(podPlace, { gracePeriodSeconds: 100 });
    await server.client.delete(podPlace, { gracePeriodSeconds: 10 });
    expect((await server.client.get(podPlace)).metadata.deletionTimestamp).toBe('2026-01-01T00:00:10Z');
    await server.client.delete(podPlace, { gracePeriodSeconds: 0 });
    await expect(server.client.get(podPlace)).rejects.toMatchObject({ code: 'notFound' });
  });

  it('takes a namespace away when its finalizers are gone, and lets nothing new in', async () => {
    await server.client.create(namespaces, { metadata: { name: 'ns' } });
    const nsPlace = { type: namespaces, name: 'ns' };
    await server.client.delete(nsPlace);
    const terminating = await server.client.get(nsPlace);
    expect(terminating['status']).toEqual({ phase: 'Terminating' });
    const late = { metadata: { name: 'late', namespace: 'ns' } };
    await expect(server.client.create(configMaps, late)).rejects.toMatchObject({ code: 'forbidden' });
    await server.client.update(namespaces, { ...terminating, spec: {} });
    expect(objectAt(await server.client.get(nsPlace), 'spec')['finalizers']).toEqual(['kubernetes']);
    await server.client.finalize(namespaces, { ...terminating, spec: { finalizers: [] } });
    await expect(server.client.get(nsPlace)).rejects.toMatchObject({ code: 'notFound' });
    await expect(server.client.create(configMaps, late)).rejects.toMatchObject({ code: 'notFound' });
    await expect(server.client.delete({ type: namespaces, name: 'default' })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
