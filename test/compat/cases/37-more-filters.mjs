export const title = 'filters that match nothing, everything or patterns, and a namespace that is not there';
export const namespaces = ['c37-a', 'c37-b', 'c37-l'];
export async function run({ apply, makeNamespaces, backup, restore, wipe, exists, configMap, secret, docs, k }) {
  await makeNamespaces('c37-a', 'c37-b');
  await apply(`apiVersion: v1\nkind: Namespace\nmetadata: {name: c37-l, labels: {c37: "yes"}}`);
  for (const ns of ['c37-a', 'c37-b'])
    await apply(
      docs(
        configMap(ns, 'm', { c37: 'yes' }),
        secret(ns, 's'),
        `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: ${ns}}\nspec: {replicas: 0, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}`,
      ),
    );
  await apply(
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c37-one, labels: {c37: "yes"}}\nrules: []`,
  );
  const within = ['--include-namespaces', 'c37-a'];
  const labelled = ['--selector', 'c37=yes'];
  const lone = async (name, ...flags) => await backup(`c37-${name}`, ...flags);
  const b = {
    missing: await lone('missing', '--include-namespaces', 'c37-a,c37-not-there'),
    missingAmongGlobs: await lone('missing-globs', '--include-namespaces', 'c37-a*,c37-not-there'),
    unknownExclude: await lone('unknown', ...within, '--exclude-resources', 'nosuchthings.example.com,secrets'),
    globs: await lone('globs', ...within, '--include-resources', 'deploy*,config*'),
    short: await lone('short', ...within, '--include-resources', 'cm,deploy'),
    noNamespaced: await lone('none', ...within, '--exclude-namespace-scoped-resources', '*'),
    noCluster: await lone('no-cluster', ...within, '--exclude-cluster-scoped-resources', '*'),
    noNamespaces: await lone('no-ns', ...within, '--exclude-resources', 'namespaces'),
    labelledKinds: await lone('kinds', ...labelled, '--include-resources', 'configmaps,clusterroles,namespaces'),
    labelledAll: await lone('all', ...labelled, '--include-cluster-resources=true'),
    exclude: await lone('exclude', '--include-namespaces', 'c37-*', '--exclude-namespaces', 'c37-l'),
    nothing: await lone('nothing', ...within, '--selector', 'c37=no'),
    both: await lone('b', '--include-namespaces', 'c37-a,c37-b', '--include-cluster-resources=true', ...labelled),
  };
  const removed = async () => {
    await wipe('c37-a', 'c37-b');
    await k('delete', 'clusterroles', '-l', 'c37=yes', '--ignore-not-found');
  };
  await removed();
  const r1 = await restore('c37-r1', 'c37-b', '--exclude-namespaces', 'c37-b');
  const a1 = [await exists('ns', 'c37-a'), await exists('ns', 'c37-b')];
  await removed();
  const r = {
    namespaces: await restore('c37-r2', 'c37-b', '--include-resources', 'namespaces'),
    unknown: await restore('c37-r3', 'c37-b', '--include-resources', 'nosuchthings'),
    noNamespace: await restore('c37-r4', 'c37-b', '--include-namespaces', 'c37-z*'),
    globs: await restore('c37-r5', 'c37-b', '--include-namespaces', 'c37-?', '--include-resources', 'cm'),
  };
  await removed();
  return { b, r1, a1, r };
}
