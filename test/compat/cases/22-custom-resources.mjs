export const title =
  'custom resources come back with their definition, large integers and, when asked for, their status';
export const namespaces = ['c22'];

export const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: wheels.c22.example.com}
spec:
  group: c22.example.com
  scope: Namespaced
  names: {plural: wheels, singular: wheel, kind: Wheel, shortNames: [wh]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {limit: {type: integer, format: int64}}}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}`;
const wheel = (name, note) => `apiVersion: c22.example.com/v1
kind: Wheel
metadata: {name: ${name}, namespace: c22, annotations: {${note}}, finalizers: [c22.example.com/kept]}
spec: {limit: 9007199254740993}`;

export async function run({ apply, makeNamespaces, backup, restore, dump, wipe, run, k, KUBECTL, docs }) {
  const limit = async (name) => await k('-n', 'c22', 'get', 'wheels', name, '-o', 'jsonpath={.spec.limit}');
  const removed = async () => {
    const free = ['-n', 'c22', 'patch', 'wheel', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'];
    for (const name of ['a', 'b', 'c']) await run(KUBECTL, [...free, name], { check: false });
    await wipe('c22');
  };
  await makeNamespaces('c22');
  await apply(definition);
  const notes = [
    wheel('a', 'x: "1"'),
    wheel('b', 'velero.io/restore-status: "true"'),
    wheel('c', 'velero.io/restore-status: "false"'),
  ];
  await apply(docs(...notes));
  for (const name of ['a', 'b', 'c']) {
    const status = '{"status":{"turns":9007199254740995,"state":"rolling"}}';
    await k('-n', 'c22', 'patch', 'wheel', name, '--subresource=status', '--type=merge', '-p', status);
  }
  const b = await backup('c22-b', '--include-namespaces', 'c22');
  await removed();
  const r1 = await restore('c22-r1', 'c22-b');
  const a1 = [await limit('a'), await dump('c22', 'wheels', { status: true })];
  await removed();
  const r2 = await restore('c22-r2', 'c22-b', '--status-include-resources', 'wheels.c22.example.com');
  const a2 = await dump('c22', 'wheels', { status: true });
  await removed();
  await k('delete', 'crd', 'wheels.c22.example.com');
  const r3 = await restore('c22-r3', 'c22-b');
  const a3 = [await limit('b'), await k('get', 'crd', 'wheels.c22.example.com', '-o', 'jsonpath={.metadata.labels}')];
  await removed();
  await k('delete', 'crd', 'wheels.c22.example.com');
  return { b, r1, a1, r2, a2, r3, a3 };
}
