export const title = 'services: node ports that were chosen or assigned, kept or not, and one that is taken';
export const namespaces = ['c14', 'c14-new', 'c14-other'];

const ports = { assigned: 31_141, chosen: 31_142, created: 31_143 };
const service = (name, port, namespace = 'c14') => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace },
  spec: { type: 'NodePort', selector: { app: 'x' }, ports: [{ name: 'http', port: 80, nodePort: port }] },
});

export async function run({ apply, makeNamespaces, backup, restore, dump, wipe, run, kjson, KUBECTL }) {
  const create = async (object) =>
    await run(KUBECTL, ['create', '-f', '-'], { input: JSON.stringify(object), check: true });
  const nodePorts = async (namespace) => {
    const { items } = await kjson('-n', namespace, 'get', 'services');
    const kept = Object.values(ports);
    const port = (object) => object.spec.ports?.[0].nodePort ?? 0;
    return items.map((i) => [i.metadata.name, i.spec.type, kept.includes(port(i)) ? port(i) : port(i) > 0]);
  };
  await makeNamespaces('c14');
  await apply(JSON.stringify(service('chosen', ports.chosen)));
  await create(service('created', ports.created));
  await create({ ...service('assigned'), spec: { type: 'NodePort', ports: [{ port: 80 }] } });
  await create({ ...service('balanced'), spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } });
  await create({ ...service('headless'), spec: { clusterIP: 'None', selector: { app: 'x' }, ports: [{ port: 1 }] } });
  await create({ ...service('outside'), spec: { type: 'ExternalName', externalName: 'example.com' } });
  const status = '{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.7"}]}}}';
  await run(KUBECTL, [
    '-n',
    'c14',
    'patch',
    'service',
    'balanced',
    '--subresource=status',
    '--type=merge',
    '-p',
    status,
  ]);
  const before = (await kjson('-n', 'c14', 'get', 'service', 'assigned')).spec.ports[0].nodePort;
  const b = await backup('c14-b', '--include-namespaces', 'c14');
  const taken = await restore('c14-r1', 'c14-b', '--namespace-mappings', 'c14:c14-new', '--preserve-nodeports');
  const a1 = Object.keys(await dump('c14-new', 'services')).sort();
  await wipe('c14', 'c14-new');
  const r2 = await restore('c14-r2', 'c14-b');
  const a2 = [await nodeOf(nodePorts, 'c14'), await dump('c14', 'services', { status: true })];
  await wipe('c14');
  const r3 = await restore('c14-r3', 'c14-b', '--preserve-nodeports', '--status-include-resources', 'services');
  const after = (await kjson('-n', 'c14', 'get', 'service', 'assigned')).spec.ports[0].nodePort;
  const a3 = [await nodeOf(nodePorts, 'c14'), after === before, await dump('c14', 'services', { status: true })];
  return { b, taken, a1, r2, a2, r3, a3 };
}

/** The pairs of those that have ports of the node. */
async function nodeOf(nodePorts, namespace) {
  return (await nodePorts(namespace)).filter(([, type]) => type === 'NodePort' || type === 'LoadBalancer');
}
