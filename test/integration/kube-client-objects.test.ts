import { expect, it } from 'vitest';
import { stringifyJson, type JsonObject } from '../../src/base/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { ask } from '../bed/ask.ts';
import { onEveryTarget } from '../client-target.ts';
import { eventually } from '../eventually.ts';
import {
  CARTS,
  cartCrd,
  CLUSTER_ROLES,
  CONFIG_MAPS,
  CRDS,
  DEPLOYMENTS,
  newNamespace,
  objectOf,
  SECRETS,
} from '../kube-kinds.ts';

const deployment = objectOf(DEPLOYMENTS, 'web', {
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
  },
});

const fieldOf = (object: KubeObject, ...path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as JsonObject | undefined)?.[key], object);

onEveryTarget('writing objects', (place) => {
  /** A namespace with one ConfigMap, and where that is. */
  const withSettings = async (data: Record<string, string> = { colour: 'red' }) => {
    const namespace = await newNamespace(place.kube);
    const maps = { type: CONFIG_MAPS, namespace };
    const created = await place.kube.create(maps, objectOf(CONFIG_MAPS, 'settings', { data }));
    return { maps, target: { ...maps, name: 'settings' }, created };
  };
  const needsCarts = async () => {
    await place.kube.create({ type: CRDS }, cartCrd).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'alreadyExists' });
    });
    const carts = { type: CARTS, namespace: await newNamespace(place.kube) };
    await eventually(() => place.kube.create(carts, objectOf(CARTS, 'probe'), { dryRun: true }), { withinMs: 15_000 });
    return carts;
  };

  it('creates, reads, replaces and deletes', async () => {
    const { maps, target, created } = await withSettings();
    expect(created.metadata.uid).toBeDefined();
    expect(await place.kube.get(target)).toEqual(created);
    await expect(place.kube.create(maps, objectOf(CONFIG_MAPS, 'settings'))).rejects.toMatchObject({
      code: 'alreadyExists',
    });
    const replaced = await place.kube.replace(target, { ...created, data: { colour: 'blue' } });
    expect(replaced['data']).toEqual({ colour: 'blue' });
    expect(replaced.metadata.resourceVersion).not.toBe(created.metadata.resourceVersion);
    expect(await place.kube.delete(target)).toBeUndefined();
    await expect(place.kube.get(target)).rejects.toMatchObject({
      code: 'notFound',
      facts: { exitCode: 3 },
      details: { status: { reason: 'NotFound', details: { kind: 'configmaps', name: 'settings' } } },
    });
  });

  it('reads names with characters that a URL must escape', async () => {
    const name = 'client:reader';
    await place.kube.create({ type: CLUSTER_ROLES }, objectOf(CLUSTER_ROLES, name, { rules: [] }));
    expect((await place.kube.get({ type: CLUSTER_ROLES, name })).metadata.name).toBe(name);
    expect(await place.kube.delete({ type: CLUSTER_ROLES, name })).toBeUndefined();
  });

  it('meets a conflict when somebody was faster, and changes nothing', async () => {
    const { target, created } = await withSettings();
    await place.kube.replace(target, { ...created, data: { colour: 'blue' } });
    const late = place.kube.replace(target, { ...created, data: { colour: 'green' } });
    await expect(late).rejects.toMatchObject({ code: 'conflict', details: { status: { reason: 'Conflict' } } });
    const { resourceVersion } = created.metadata;
    const patch = { kind: 'merge' as const, body: { metadata: { resourceVersion }, data: { colour: 'green' } } };
    await expect(place.kube.patch(target, patch)).rejects.toMatchObject({ code: 'conflict' });
    expect((await place.kube.get(target))['data']).toEqual({ colour: 'blue' });
  });

  it('patches by merging, where null removes', async () => {
    const { target } = await withSettings({ colour: 'red', size: 'big' });
    const patched = await place.kube.patch(target, { kind: 'merge', body: { data: { colour: null, shape: 'round' } } });
    expect(patched['data']).toEqual({ size: 'big', shape: 'round' });
  });

  it('patches by JSON operations, all or none', async () => {
    const { target } = await withSettings();
    const op = (test: string) =>
      place.kube.patch(target, {
        kind: 'json',
        body: [
          { op: 'replace', path: '/data/colour', value: 'blue' },
          { op: 'test', path: '/metadata/name', value: test },
        ],
      });
    await expect(op('other')).rejects.toMatchObject({ code: 'invalid' });
    expect((await place.kube.get(target))['data']).toEqual({ colour: 'red' });
    expect((await op('settings'))['data']).toEqual({ colour: 'blue' });
  });

  it('patches lists of built-in kinds by their keys', async () => {
    const web = { type: DEPLOYMENTS, namespace: await newNamespace(place.kube), name: 'web' };
    await place.kube.create(web, deployment);
    const sidecar = { name: 'sidecar', image: 'sidecar:1' };
    const body = { spec: { template: { spec: { containers: [sidecar] } } } };
    const patched = await place.kube.patch(web, { kind: 'strategic', body });
    const containers = fieldOf(patched, 'spec', 'template', 'spec', 'containers') as JsonObject[];
    expect(containers.map(({ name }) => name).sort()).toEqual(['sidecar', 'web']);
    const scaled = await place.kube.patch(
      web,
      { kind: 'merge', body: { spec: { replicas: 3 } } },
      { subresource: 'scale' },
    );
    expect([scaled.kind, fieldOf(scaled, 'spec', 'replicas')]).toEqual(['Scale', 3]);
    expect(fieldOf(await place.kube.get(web), 'spec', 'replicas')).toBe(3);
  });

  place.itNeeds('serverSideApply', 'applies, creates by it, and takes from another owner only by force', async () => {
    const namespace = await newNamespace(place.kube);
    const target = { type: CONFIG_MAPS, namespace, name: 'applied' };
    const apply = (colour: string, fieldManager: string, force = false) =>
      place.kube.patch(
        target,
        { kind: 'apply', body: objectOf(CONFIG_MAPS, 'applied', { data: { colour } }) },
        { fieldManager, force },
      );
    expect((await apply('red', 'first'))['data']).toEqual({ colour: 'red' });
    await expect(apply('blue', 'second')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('conflict with "first"') as string,
    });
    expect((await apply('blue', 'second', true))['data']).toEqual({ colour: 'blue' });
  });

  it('writes the status of a kind that keeps it apart, and nothing else with it', async () => {
    const carts = await needsCarts();
    const target = { ...carts, name: 'big' };
    await place.kube.create(carts, objectOf(CARTS, 'big', { spec: { limit: 1 }, status: { phase: 'dropped' } }));
    expect((await place.kube.get(target))['status']).toBeUndefined();
    const body = { spec: { limit: 2 }, status: { phase: 'Full' } };
    const patched = await place.kube.patch(target, { kind: 'merge', body }, { subresource: 'status' });
    expect(patched).toMatchObject({ spec: { limit: 1 }, status: { phase: 'Full' } });
    const replaced = await place.kube.replace(
      target,
      { ...patched, spec: { limit: 3 }, status: { phase: 'Empty' } },
      { subresource: 'status' },
    );
    expect(replaced).toMatchObject({ spec: { limit: 1 }, status: { phase: 'Empty' } });
    await expect(place.kube.patch(target, { kind: 'strategic', body })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('keeps integers beyond 2^53 and fields that nobody declared', async () => {
    const carts = await needsCarts();
    const target = { ...carts, name: 'exact' };
    const spec = {
      limit: 9_007_199_254_740_993n,
      lowest: -(2n ** 63n),
      undeclared: { list: [1.5, null, true, '', {}], nothing: null, '10': 'ten', '9': 'nine' },
    };
    const created = await place.kube.create(carts, objectOf(CARTS, 'exact', { spec }));
    expect(created['spec']).toMatchObject({ limit: spec.limit, lowest: spec.lowest });
    const read = await place.kube.get(target);
    const replaced = await place.kube.replace(target, {
      ...read,
      spec: { ...(read['spec'] as JsonObject), again: true },
    });
    expect(replaced['spec']).toEqual({ ...spec, again: true });
    const { server, caPem, token } = place.target;
    const path = `/apis/${CARTS.group}/v1/namespaces/${carts.namespace}/carts/exact`;
    const raw = await ask(`${server}${path}`, { caPem, token });
    expect(raw?.body).toContain('"limit":9007199254740993');
    expect(raw?.body).toContain('"lowest":-9223372036854775808');
    const patch = { kind: 'merge' as const, body: { spec: { limit: 2n ** 63n - 1n } } };
    expect(fieldOf(await place.kube.patch(target, patch), 'spec', 'limit')).toBe(2n ** 63n - 1n);
    for await (const { items } of place.kube.list(carts)) expect(stringifyJson(items)).toContain('9223372036854775807');
  });

  it('deletes only the object that is meant', async () => {
    const { target, created } = await withSettings();
    const { uid, resourceVersion } = created.metadata;
    await place.kube.patch(target, { kind: 'merge', body: { data: { colour: 'blue' } } });
    const another = { uid: '00000000-0000-4000-8000-000000000000' };
    await expect(place.kube.delete(target, { preconditions: another })).rejects.toMatchObject({ code: 'conflict' });
    const older = { resourceVersion: resourceVersion! };
    await expect(place.kube.delete(target, { preconditions: older })).rejects.toMatchObject({ code: 'conflict' });
    expect(await place.kube.delete(target, { preconditions: { uid: uid! } })).toBeUndefined();
  });

  it('hands back what a finalizer still holds', async () => {
    const { maps, target } = await withSettings();
    const held = objectOf(CONFIG_MAPS, 'held', { metadata: { finalizers: ['client.example.com/hold'] } });
    await place.kube.create(maps, held);
    const going = await place.kube.delete({ ...maps, name: 'held' });
    expect(going?.metadata.deletionTimestamp).toBeDefined();
    await place.kube.patch({ ...maps, name: 'held' }, { kind: 'merge', body: { metadata: { finalizers: null } } });
    await expect(place.kube.get({ ...maps, name: 'held' })).rejects.toMatchObject({ code: 'notFound' });
    expect(await place.kube.get(target)).toBeDefined();
  });

  it('takes what belongs to an object along, waits for it, or leaves it', async () => {
    const namespace = await newNamespace(place.kube);
    const maps = { type: CONFIG_MAPS, namespace };
    const names = async () => {
      const found: string[] = [];
      for await (const { items } of place.kube.list(maps, { labelSelector: 'family' })) {
        for (const { metadata } of items) found.push(metadata.name);
      }
      return found.sort();
    };
    const family = async (name: string) => {
      const labels = { family: name };
      const owner = await place.kube.create(maps, objectOf(CONFIG_MAPS, `${name}-owner`, { metadata: { labels } }));
      const { apiVersion, kind, metadata } = owner;
      const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid!, blockOwnerDeletion: true }];
      const child = objectOf(CONFIG_MAPS, `${name}-child`, { metadata: { labels, ownerReferences } });
      await place.kube.create(maps, child);
      return { ...maps, name: owner.metadata.name };
    };
    const targets = { background: await family('background'), foreground: await family('foreground') };
    const orphan = await family('orphan');
    expect(await place.kube.delete(targets.background, { propagation: 'Background' })).toBeUndefined();
    const waiting = await place.kube.delete(targets.foreground, { propagation: 'Foreground' });
    expect(waiting?.metadata.finalizers).toEqual(['foregroundDeletion']);
    const leaving = await place.kube.delete(orphan, { propagation: 'Orphan' });
    expect(leaving?.metadata.finalizers).toEqual(['orphan']);
    await eventually(
      async () => {
        expect(await names()).toEqual(['orphan-child']);
      },
      { withinMs: 15_000 },
    );
  }, 30_000);

  it('only pretends in a dry run, and checks all the same', async () => {
    const { maps, target, created } = await withSettings();
    const dryRun = { dryRun: true };
    const pretended = await place.kube.create(maps, objectOf(CONFIG_MAPS, 'pretended'), dryRun);
    expect(pretended.metadata.uid).toBeDefined();
    await place.kube.replace(target, { ...created, data: { colour: 'blue' } }, dryRun);
    await place.kube.patch(target, { kind: 'merge', body: { data: { colour: 'blue' } } }, dryRun);
    await place.kube.delete(target, dryRun);
    await expect(place.kube.create(maps, objectOf(CONFIG_MAPS, 'Not A Name'), dryRun)).rejects.toMatchObject({
      code: 'invalid',
      details: { status: { reason: 'Invalid' } },
    });
    const found: KubeObject[] = [];
    for await (const { items } of place.kube.list(maps, { fieldSelector: 'metadata.name!=kube-root-ca.crt' })) {
      found.push(...items);
    }
    expect(found).toEqual([created]);
  });

  it('lets the server refuse unknown fields, or not', async () => {
    const { maps } = await withSettings();
    const odd = (name: string) => objectOf(CONFIG_MAPS, name, { dta: { colour: 'red' } });
    await expect(place.kube.create(maps, odd('strict'), { fieldValidation: 'Strict' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('unknown field "dta"') as string,
    });
    await place.kube.create(maps, odd('ignored'), { fieldValidation: 'Ignore' });
    expect(await place.kube.get({ ...maps, name: 'ignored' })).toBeDefined();
  });

  it('names an object that the server names', async () => {
    const { maps } = await withSettings();
    const unnamed = { apiVersion: 'v1', kind: 'Secret', metadata: { generateName: 'made-' } } as unknown as KubeObject;
    const made = await place.kube.create({ ...maps, type: SECRETS }, unnamed);
    expect(made.metadata.name).toMatch(/^made-[a-z0-9]{5}$/);
  });

  place.itNeeds('etcd', 'says when an object is too large to be stored, and not that the server failed', async () => {
    const carts = await needsCarts();
    for (const megabytes of [1.6, 2.5]) {
      const large = objectOf(CARTS, 'large', { spec: { text: 'x'.repeat(megabytes * 1024 * 1024) } });
      await expect(place.kube.create(carts, large)).rejects.toMatchObject({ code: 'tooLarge', retry: 'never' });
    }
  });

  it('says when an object is too large', async () => {
    const { maps } = await withSettings();
    const huge = objectOf(CONFIG_MAPS, 'huge', { data: { text: 'x'.repeat(3.5 * 1024 * 1024) } });
    await expect(place.kube.create(maps, huge)).rejects.toMatchObject({ code: 'tooLarge' });
  });
});
