import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { createKubeClient, findResource, type ApiResource, type KubeClient } from '../../src/edge/kube/index.ts';
import { staticCredential } from '../../src/edge/kube/config/credentials.ts';
import { discover } from '../../src/edge/kube/discovery/discovery.ts';
import { type Bed, bed, needsBed } from '../bed/index.ts';
import { collect } from '../collect.ts';
import { eventually } from '../eventually.ts';
import { impatientClock, transportTo } from '../kube-transport.ts';
import { makeAuthority, ScriptedServer } from '../scripted-server/index.ts';

const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };
const nodes = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };
const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const apiServices = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  kind: 'APIService',
  plural: 'apiservices',
  namespaced: false,
};

/** The order of verbs and subresources is nobody's promise. */
function sorted(resources: readonly ApiResource[]): unknown[] {
  const name = (resource: ApiResource): string => `${resource.group}/${resource.version}/${resource.plural}`;
  return resources
    .map((resource) => ({
      ...resource,
      verbs: resource.verbs.toSorted(),
      subresources: resource.subresources
        .map((sub) => ({ ...sub, verbs: sub.verbs.toSorted() }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    }))
    .toSorted((a, b) => name(a).localeCompare(name(b)));
}

const need = needsBed({ clusters: 1 });
describe.skipIf(need.missing)(need.title('the client at a real API server'), () => {
  let b: Bed;
  let kube: KubeClient;
  beforeAll(async () => {
    b = await bed({ clusters: 1 });
    const { server, caPem, token } = b.clusters[0]!;
    kube = createKubeClient(
      { clock: impatientClock, random: () => 0, log: NO_LOG, userAgent: 'headway-test' },
      {
        label: 'the bed',
        server,
        namespace: 'default',
        tls: { insecure: false, ca: caPem },
        credentials: staticCredential({ authorization: `Bearer ${token}` }),
        headers: {},
      },
    );
  });
  afterAll(async () => {
    await kube.close();
    await b[Symbol.asyncDispose]();
  });

  it('discovers the same in both forms, and maps names', async () => {
    const { server, caPem, token } = b.clusters[0]!;
    const transport = transportTo(server, { ca: caPem, token });
    const plain = await discover({
      ...transport,
      request: (request) => transport.request({ ...request, accept: 'application/json' }),
    });
    const aggregated = await kube.discover();
    await transport.close();
    expect(aggregated.failures).toEqual([]);
    expect(sorted(aggregated.resources)).toEqual(sorted(plain.resources));
    for (const [text, kind] of [
      ['po', 'Pod'],
      ['deploy', 'Deployment'],
      ['events', 'Event'],
      ['crd', 'CustomResourceDefinition'],
      ['deployments.v1.apps', 'Deployment'],
      ['netpol', 'NetworkPolicy'],
    ] as const) {
      expect(findResource(aggregated, text).kind).toBe(kind);
    }
  });

  it('names a broken extension server and hides nothing else', async () => {
    const before = (await kube.discover()).resources.length;
    const name = 'v1.broken.headway.io';
    await kube.create(
      { type: apiServices },
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name },
        spec: {
          group: 'broken.headway.io',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          service: { name: 'nobody', namespace: 'default' },
          insecureSkipTLSVerify: true,
        },
      },
    );
    const seen = async () => {
      const { failures, resources } = await kube.discover();
      expect(failures.map(({ group, version }) => `${version}.${group}`)).toEqual([name]);
      expect(resources).toHaveLength(before);
    };
    await eventually(seen, { withinMs: 15_000 });
    await kube.delete({ type: apiServices, name });
  });

  it('lists by pages, watches from there on, and is told when it looks too far back', async () => {
    const target = { type: configMaps, namespace: 'kube-public' };
    const labels = { walk: 'yes' };
    for (let i = 0; i < 25; i += 1) {
      const metadata = { name: `walk-${String(i).padStart(2, '0')}`, labels };
      await kube.create(target, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    }
    const pages = await collect(kube.list(target, { limit: 10 }));
    const names = pages.flatMap((page) => Array.from(page.items, (item) => item.metadata.name));
    expect(names.filter((name) => name.startsWith('walk-'))).toHaveLength(25);
    expect(pages[0]?.remaining).toBe(names.length - 10);
    expect(pages.every((page) => [...page.items].every((item) => item.kind === 'ConfigMap'))).toBe(true);

    const { resourceVersion } = pages.at(-1)!;
    const stop = new AbortController();
    const events = kube.watch(target, { resourceVersion, labelSelector: 'walk=yes', signal: stop.signal });
    const read = events[Symbol.asyncIterator]();
    await kube.delete({ ...target, name: 'walk-03' });
    const gone = { type: 'DELETED', object: { kind: 'ConfigMap', metadata: { name: 'walk-03' } } };
    expect(await read.next()).toMatchObject({ value: gone });
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(read.next()).rejects.toBe(reason);

    // After a restart the server remembers nothing older than that.
    await b.clusters[0]!.restartApiserver();
    await expect(collect(kube.watch(target, { resourceVersion: '1' }))).rejects.toMatchObject({ code: 'gone' });
  });

  it('reads a log through it once, although it hides that the node broke off', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, i) => `2026-01-01T12:00:${String(i).padStart(2, '0')}.5Z line ${String(i)}\n`,
    );
    const kubelet = await ScriptedServer.start({
      tls: makeAuthority().issue({ commonName: 'kubelet', hosts: ['127.0.0.1'] }),
    });
    let connections = 0;
    kubelet.always('*', ({ request, response, socket }) => {
      const since = Date.parse(request.query.get('sinceTime') ?? '1970-01-01T00:00:00Z');
      const body = lines.filter((line) => Date.parse(line.split(' ')[0]!) >= since).join('');
      connections += 1;
      response.writeHead(200, { 'content-type': 'text/plain' });
      if (connections > 5) response.end(body);
      else response.write(body.slice(0, 300), () => socket.destroy());
    });
    try {
      await placePod(kube, Number(new URL(kubelet.url).port));
      const read = await collect(kube.logs({ namespace: 'default', name: 'db-0', container: 'main' }));
      expect(read.map(({ time, line }) => `${time ?? ''} ${line}\n`)).toEqual(lines);
      expect(kubelet.requests.at(-1)?.query.get('sinceTime')).toMatch(/^2026-01-01T12:00:\d\dZ$/);
    } finally {
      await kubelet.stop();
    }
  });

  it('says why a command cannot be run', async () => {
    const call = { command: ['true'], deadlineMs: 10_000 };
    const missing = kube.exec({ namespace: 'default', name: 'nosuch' }, call);
    await expect(missing).rejects.toMatchObject({
      code: 'notFound',
      message: expect.stringContaining('nosuch') as string,
    });
    await kube.create({ type: pods, namespace: 'default' }, pod('homeless', {}));
    const homeless = kube.exec({ namespace: 'default', name: 'homeless' }, call);
    await expect(homeless).rejects.toMatchObject({ code: 'invalid' });
  });
});

function pod(name: string, spec: Record<string, string>) {
  const containers = [{ name: 'main', image: 'none' }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...spec, containers } };
}

/** A node whose kubelet is at this port, and a pod on it that says it runs. */
async function placePod(kube: KubeClient, port: number): Promise<void> {
  await kube.create({ type: nodes }, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } });
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
  const node = { status: { addresses, daemonEndpoints: { kubeletEndpoint: { Port: port } } } };
  await kube.patch({ type: nodes, name: 'n1' }, { kind: 'merge', body: node }, { subresource: 'status' });
  await kube.create({ type: pods, namespace: 'default' }, pod('db-0', { nodeName: 'n1' }));
}
