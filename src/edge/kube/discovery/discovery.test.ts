import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { html, json, ScriptedServer, silent, status } from '../../../../test/scripted-server/index.ts';
import { transportTo } from '../../../../test/kube-transport.ts';
import { discover } from './discovery.ts';
import type { Transport } from '../transport/transport.ts';

let server: ScriptedServer;
let transport: Transport;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

const deployments = {
  resource: 'deployments',
  responseKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  scope: 'Namespaced',
  singularResource: 'deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  verbs: ['get', 'list'],
  subresources: [
    { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] },
  ],
};
const found = {
  group: 'apps',
  version: 'v1',
  preferred: true,
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
  singular: 'deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  verbs: ['get', 'list'],
  subresources: [{ name: 'scale', kind: 'Scale', verbs: ['get'] }],
};

function aggregated(form: 'v2' | 'v2beta1', items: unknown[]) {
  const headers = { 'content-type': `application/json;g=apidiscovery.k8s.io;v=${form};as=APIGroupDiscoveryList` };
  return json({ kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${form}`, items }, { headers });
}

const namespaces = {
  resource: 'namespaces',
  responseKind: { group: '', version: 'v1', kind: 'Namespace' },
  scope: 'Cluster',
  singularResource: 'namespace',
  verbs: ['get'],
};
const core = { metadata: { name: '' }, versions: [{ version: 'v1', freshness: 'Current', resources: [namespaces] }] };

describe('discover, aggregated', () => {
  it.each(['v2', 'v2beta1'] as const)('reads %s in two requests', async (form) => {
    const apps = { metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [deployments] }] };
    server.on('GET /api', aggregated(form, [core])).on('GET /apis', aggregated(form, [apps]));
    const { resources, failures } = await discover(transport);
    expect(failures).toEqual([]);
    expect(resources.map((resource) => resource.plural)).toEqual(['namespaces', 'deployments']);
    expect(resources[0]).toMatchObject({ group: '', namespaced: false, shortNames: [], subresources: [] });
    expect(resources[1]).toEqual(found);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[0]!.headers.accept).toContain('v=v2;as=APIGroupDiscoveryList');
  });

  it('prefers the first version of a group', async () => {
    const versions = ['v2', 'v1'].map((version) => ({ version, resources: [deployments] }));
    server.on('GET /api', aggregated('v2', [core]));
    server.on('GET /apis', aggregated('v2', [{ metadata: { name: 'apps' }, versions }]));
    const { resources } = await discover(transport);
    expect(resources.slice(1).map((one) => [one.version, one.preferred])).toEqual([
      ['v2', true],
      ['v1', false],
    ]);
  });

  it('names a stale group and keeps the others', async () => {
    const metrics = {
      metadata: { name: 'metrics.k8s.io' },
      versions: [{ version: 'v1beta1', freshness: 'Stale', resources: [{ ...deployments, resource: 'old' }] }],
    };
    const apps = { metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [deployments] }] };
    server.on('GET /api', aggregated('v2', [core])).on('GET /apis', aggregated('v2', [metrics, apps]));
    const { resources, failures } = await discover(transport);
    expect(resources.map((resource) => resource.plural)).toEqual(['namespaces', 'deployments']);
    expect(failures).toMatchObject([{ group: 'metrics.k8s.io', version: 'v1beta1', error: { code: 'unreachable' } }]);
  });

  it('leaves out what exists only for its subresources', async () => {
    const bare = { ...deployments, responseKind: null };
    const apps = { metadata: { name: 'apps' }, versions: [{ version: 'v1', resources: [bare] }] };
    server.on('GET /api', aggregated('v2', [core])).on('GET /apis', aggregated('v2', [apps]));
    expect((await discover(transport)).resources).toHaveLength(1);
  });
});

describe('discover, plain', () => {
  const group = (name: string, preferred: string, versions: string[]) => ({
    name,
    versions: versions.map((version) => ({ groupVersion: `${name}/${version}`, version })),
    preferredVersion: { groupVersion: `${name}/${preferred}`, version: preferred },
  });
  const plainDeployments = [
    {
      name: 'deployments',
      singularName: 'deployment',
      namespaced: true,
      kind: 'Deployment',
      verbs: ['get', 'list'],
      shortNames: ['deploy'],
      categories: ['all'],
    },
    { name: 'deployments/scale', singularName: '', namespaced: true, kind: 'Scale', verbs: ['get'] },
  ];

  beforeEach(() => {
    server.on('GET /api', json({ kind: 'APIVersions', versions: ['v1'] }));
    server.on(
      'GET /api/v1',
      json({ resources: [{ name: 'namespaces', kind: 'Namespace', namespaced: false, verbs: ['get'] }] }),
    );
  });

  it('asks for each group version and gives the same answer', async () => {
    server.on('GET /apis', json({ kind: 'APIGroupList', groups: [group('apps', 'v1', ['v1', 'v1beta1'])] }));
    server.on('GET /apis/apps/v1', json({ resources: plainDeployments }));
    server.on('GET /apis/apps/v1beta1', json({ resources: plainDeployments }));
    const { resources, failures } = await discover(transport);
    expect(failures).toEqual([]);
    expect(resources[0]).toMatchObject({ kind: 'Namespace', namespaced: false, preferred: true });
    expect(resources[1]).toEqual(found);
    expect(resources[2]).toEqual({ ...found, version: 'v1beta1', preferred: false });
  });

  it('names a group that answers 503 and one that answers HTML, and keeps the rest in order', async () => {
    const groups = [group('broken.io', 'v1', ['v1']), group('page.io', 'v1', ['v1']), group('apps', 'v1', ['v1'])];
    server.on('GET /apis', json({ kind: 'APIGroupList', groups }));
    server.always('GET /apis/broken.io/v1', status(503, 'ServiceUnavailable', 'no endpoints available'));
    server.on('GET /apis/page.io/v1', html('<html>hello</html>'));
    server.on('GET /apis/apps/v1', json({ resources: plainDeployments }));
    const { resources, failures } = await discover(transport);
    expect(resources.map((resource) => resource.plural)).toEqual(['namespaces', 'deployments']);
    expect(failures.map(({ group: name, error }) => [name, error.code])).toEqual([
      ['broken.io', 'serverError'],
      ['page.io', 'badAnswer'],
    ]);
  });

  it('names a group that hangs', async () => {
    server.on('GET /apis', json({ kind: 'APIGroupList', groups: [group('hangs.io', 'v1', ['v1'])] }));
    server.on('GET /apis/hangs.io/v1', silent);
    const { resources, failures } = await discover(transport, { deadlineMs: 200 });
    expect(resources).toHaveLength(1);
    expect(failures).toMatchObject([{ group: 'hangs.io', error: { code: 'timeout' } }]);
  });

  it('is no partial answer when it was aborted', async () => {
    server.on('GET /apis', json({ kind: 'APIGroupList', groups: [group('hangs.io', 'v1', ['v1'])] }));
    const stop = new AbortController();
    const reason = new Error('stop');
    server.on('GET /apis/hangs.io/v1', () => {
      stop.abort(reason);
    });
    await expect(discover(transport, { signal: stop.signal })).rejects.toBe(reason);
  });

  it('fails when the list of groups does', async () => {
    server.always('GET /apis', status(403, 'Forbidden', 'no'));
    await expect(discover(transport)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
