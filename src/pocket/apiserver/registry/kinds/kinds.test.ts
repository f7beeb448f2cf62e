import { beforeEach, describe, expect, it } from 'vitest';
import { valueAt, type JsonObject } from '../../../../base/index.ts';
import { memoryServer, TYPES, type MemoryServer } from '../../../../../test/pocket/memory-server.ts';
import { listAt, scalarTextAt, type ApiObject } from '../../object/index.ts';

describe('kinds with rules of their own', () => {
  let server: MemoryServer;
  const { services, secrets, events, newEvents, pods, daemonSets } = TYPES;
  const service = (name: string, spec: JsonObject): Promise<ApiObject> =>
    server.client.create(services, {
      metadata: { name, namespace: 'default' },
      spec: { ports: [{ port: 80 }], ...spec },
    });

  beforeEach(async () => {
    server = await memoryServer();
  });

  it('gives services addresses and node ports, and refuses taken ones', async () => {
    const first = await service('a', { type: 'NodePort' });
    const ip = scalarTextAt(first, 'spec', 'clusterIP');
    const port = valueAt(listAt(first, 'spec', 'ports')[0], 'nodePort');
    expect(ip).toMatch(/^10\.96\.\d+\.\d+$/);
    expect(port).toBeGreaterThanOrEqual(30_000);
    await expect(service('b', { clusterIP: ip })).rejects.toThrow(
      `spec.clusterIPs: Invalid value: ["${ip}"]: failed to allocate IP ${ip}: provided IP is already allocated`,
    );
    const taken = { type: 'NodePort', ports: [{ port: 81, nodePort: port ?? 0 }] };
    await expect(service('b', taken)).rejects.toThrow('spec.ports[0].nodePort: Invalid value: ');
    await expect(service('b', { type: 'NodePort', ports: [{ port: 81, nodePort: 80 }] })).rejects.toThrow(
      'provided port is not in the valid range. The range of valid ports is 30000-32767',
    );
  });

  it('keeps what a service has when an update does not say it', async () => {
    const made = await service('a', { type: 'NodePort' });
    const next = { ...made, spec: { type: 'NodePort', ports: [{ port: 80 }, { name: 'more', port: 81 }] } };
    const named = {
      ...next,
      spec: {
        ...next.spec,
        ports: [
          { name: 'one', port: 80 },
          { name: 'more', port: 81 },
        ],
      },
    };
    const updated = await server.client.update(services, named);
    expect(scalarTextAt(updated, 'spec', 'clusterIP')).toBe(scalarTextAt(made, 'spec', 'clusterIP'));
    const ports = listAt(updated, 'spec', 'ports').map((port) => valueAt(port, 'nodePort'));
    expect(ports[0]).toBe(valueAt(listAt(made, 'spec', 'ports')[0], 'nodePort'));
    expect(new Set(ports).size).toBe(2);
  });

  it('takes away what only the old type of a service has', async () => {
    const made = await service('a', { type: 'LoadBalancer' });
    expect(made['spec']).toMatchObject({ externalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true });
    const spec = { ...(made['spec'] as JsonObject), type: 'ClusterIP' };
    const after = (await server.client.update(services, { ...made, spec }))['spec'] as JsonObject;
    expect(Object.keys(after)).not.toContain('externalTrafficPolicy');
    expect(Object.keys(after)).not.toContain('allocateLoadBalancerNodePorts');
  });

  it('gives a headless service no address', async () => {
    expect(scalarTextAt(await service('h', { clusterIP: 'None' }), 'spec', 'clusterIP')).toBe('None');
  });

  it('counts the generation of the template of a daemon set, as the API server does', async () => {
    const of = async (object: Promise<ApiObject>) =>
      (await object).metadata.annotations?.['deprecated.daemonset.template.generation'];
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const made = server.client.create(daemonSets, { metadata: { name: 'd', namespace: 'default' }, spec });
    expect(await of(made)).toBe('1');
    const slower = server.client.update(daemonSets, { ...(await made), spec: { ...spec, minReadySeconds: 3 } });
    expect(await of(slower)).toBe('1');
    const changed = { ...template, spec: { containers: [{ name: 'c', image: 'j' }] } };
    const { metadata } = await slower;
    const next = server.client.update(daemonSets, { ...(await made), metadata, spec: { ...spec, template: changed } });
    expect(await of(next)).toBe('2');
    const annotations = { 'deprecated.daemonset.template.generation': '7' };
    const restored = { metadata: { name: 'e', namespace: 'default', annotations }, spec };
    expect(await of(server.client.create(daemonSets, restored))).toBe('7');
  });

  it('lets a job select its pods by its own uid, also where it brings an empty selector', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    const spec = { manualSelector: false, selector: { matchLabels: {} }, template };
    const made = await server.client.create(
      { group: 'batch', version: 'v1', plural: 'jobs' },
      { metadata: { name: 'j', namespace: 'default' }, spec },
    );
    const own = { 'batch.kubernetes.io/controller-uid': made.metadata.uid };
    expect(valueAt(made, 'spec', 'selector')).toEqual({ matchLabels: own });
  });

  it('encodes the plain data of a secret', async () => {
    const object = { metadata: { name: 's', namespace: 'default' }, data: { b: 'Mg==' }, stringData: { a: '1' } };
    const made = await server.client.create(secrets, object);
    expect(made['data']).toEqual({ a: 'MQ==', b: 'Mg==' });
    expect(made['stringData']).toBeUndefined();
  });

  it('shows an event in both of its forms', async () => {
    const involvedObject = { kind: 'Pod', name: 'p', namespace: 'default' };
    const event = {
      metadata: { name: 'e', namespace: 'default' },
      involvedObject,
      reason: 'Because',
      message: 'hello',
    };
    await server.client.create(events, event);
    const place = { type: newEvents, namespace: 'default', name: 'e' };
    const other = await server.client.get(place);
    expect(other).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'hello', regarding: { name: 'p' } });
    await server.client.patch(place, 'merge', { note: 'changed' });
    expect((await server.client.get({ ...place, type: events }))['message']).toBe('changed');
  });

  it('forgets events after an hour', async () => {
    const stopping = new AbortController();
    const running = server.api.run(stopping.signal);
    await server.client.create(events, {
      metadata: { name: 'e', namespace: 'default' },
      involvedObject: { namespace: 'default' },
    });
    await server.clock.advance(59 * 60_000);
    expect((await server.client.list(events)).items).toHaveLength(1);
    await server.clock.advance(3 * 60_000);
    expect((await server.client.list(events)).items).toHaveLength(0);
    stopping.abort();
    await running;
  });

  it.each([
    [{}, 'BestEffort'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
  ])('a pod with resources %j is %s', async (resources, qosClass) => {
    const spec = { containers: [{ name: 'c', image: 'i', resources }] };
    const pod = await server.client.create(pods, { metadata: { name: 'p', namespace: 'default' }, spec });
    expect(pod['status']).toMatchObject({ phase: 'Pending', qosClass });
  });
});
