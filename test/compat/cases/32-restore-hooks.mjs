export const title = 'restore hooks: init containers by annotation and by spec, commands for pods that never run';
export const namespaces = ['c32'];

const pod = (name, app, annotations = {}) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'c32', labels: { app }, annotations } },
    spec: {
      nodeSelector: { none: 'such' },
      initContainers: [{ name: 'own', image: 'none/own:1' }],
      containers: [{ name: 'c', image: 'none/none:1' }],
    },
  });
const noted = (when, notes) =>
  Object.fromEntries(Object.entries(notes).map(([name, value]) => [`${when}.hook.restore.velero.io/${name}`, value]));
const INIT = { timeout: '10s', initContainers: [{ name: 'given', image: 'none/given:1', command: ['/x'] }] };
const EXEC = { command: ['/bin/true'], waitTimeout: '3s', execTimeout: '3s', onError: 'Fail' };

export async function run({ apply, makeNamespaces, k, kjson, until, backup, waitFor, wipe, docs }) {
  await makeNamespaces('c32');
  await until('service account', async () => (await k('-n', 'c32', 'get', 'sa', 'default', '-o', 'name')) !== '');
  const named = { 'container-image': 'none/hook:1', 'container-name': 'hook', command: '["/bin/true"]' };
  const late = { command: '["/bin/true"]', 'wait-timeout': '3s', container: 'c', 'on-error': 'Continue' };
  await apply(
    docs(
      pod('annotated', 'x', noted('init', named)),
      pod('unnamed', 'x', noted('init', { 'container-image': 'none/hook:2', command: '/bin/true' })),
      pod('incomplete', 'x', noted('init', { 'container-name': 'x' })),
      pod('plain', 'x'),
      pod('late', 'late', noted('post', late)),
    ),
  );
  const b = await backup('c32-b', '--include-namespaces', 'c32');
  const hooks = (postHook, more) => ({
    hooks: { resources: [{ name: 'h', includedNamespaces: ['c32'], postHooks: [postHook], ...more }] },
  });
  const restored = async (name, spec) => {
    await wipe('c32');
    const metadata = { name, namespace: 'velero' };
    const given = { backupName: 'c32-b', includedNamespaces: ['*'], ...spec };
    await apply(JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Restore', metadata, spec: given }));
    const { status } = await waitFor('restores', name);
    const { items } = await kjson('-n', 'c32', 'get', 'pods');
    const isKnown = (container) => ['own', 'hook', 'given'].includes(container);
    const containers = items.map(({ metadata: { name: of }, spec: { initContainers } }) => [
      of,
      initContainers.map((one) => [isKnown(one.name) ? one.name : 'generated', one.image, one.command ?? null]),
    ]);
    // One that never ran is an error whatever its on-error says.
    return [status.phase, status.hookStatus, status.errors ?? 0, containers];
  };
  return {
    b,
    annotations: await restored('c32-r1', {}),
    init: await restored('c32-r2', hooks({ init: INIT }, { labelSelector: { matchLabels: { app: 'x' } } })),
    exec: await restored('c32-r3', hooks({ exec: EXEC })),
  };
}
