export const title = 'filters that match nothing, everything or patterns, and a namespace that is not there';
export const namespaces = ['c25-a', 'c25-b', 'c25-l'];
export async function run({ apply, makeNamespaces, backup, restore, wipe, exists, configMap, secret, docs, k }) {
  await makeNamespaces('c25-a', 'c25-b');
  await apply(`apiVersion: v1\nkind: Namespace\nmetadata: {name: c25-l, labels: {c25: "yes"}}`);
  for (const ns of ['c25-a', 'c25-b'])
    await apply(
      docs(
        configMap(ns, 'm', { c25: 'yes' }),
        secret(ns, 's'),
        `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: ${ns}}\nspec: {replicas: 0, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}`,
      ),
    );
  await apply(
    `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c25-one, labels: {c25: "yes"}}\nrules: []`,
  );
  const within = ['--include-namespaces', 'c25-a'];
  const labelled = ['--selector', 'c25=yes'];
  const lone = async (name, ...flags) => await backup(`c25-${name}`, ...flags);
  const b = {
    missing: await lone('missing', '--include-namespaces', 'c25-a,c25-not-there'),
    missingAmongGlobs: await lone('missing-globs', '--include-namespaces', 'c25-a*,c25-not-there'),
    unknownExclude: await lone('unknown', ...within, '--exclude-resources', 'nosuchthings.example.com,secrets'),
    globs: await lone('globs', ...within, '--include-resources', 'deploy*,config*'),
    short: await lone('short', ...within, '--include-resources', 'cm,deploy'),
    noNamespaced: await lone('none', ...within, '--exclude-namespace-scoped-resources', '*'),
    noCluster: await lone('no-cluster', ...within, '--exclude-cluster-scoped-resources', '*'),
    noNamespaces: await lone('no-ns', ...within, '--exclude-resources', 'namespaces'),
    labelledKinds: await lone('kinds', ...labelled, '--include-resources', 'configmaps,clusterroles,namespaces'),
    labelledAll: await lone('all', ...labelled, '--include-cluster-resources=true'),
    exclude: await lone('exclude', '--include-namespaces', 'c25-*', '--exclude-namespaces', 'c25-l'),
    nothing: await lone('nothing', ...within, '--selector', 'c25=no'),
    both: await lone('b', '--include-namespaces', 'c25-a,c25-b', '--include-cluster-resources=true', ...labelled),
  };
  const removed = async () => {
    await wipe('c25-a', 'c25-b');
    await k('delete', 'clusterroles', '-l', 'c25=yes', '--ignore-not-found');
  };
  await removed();
  const r1 = await restore('c25-r1', 'c25-b', '--exclude-namespaces', 'c25-b');
  const a1 = [await exists('ns', 'c25-a'), await exists('ns', 'c25-b')];
  await removed();
  const r = {
    namespaces: await restore('c25-r2', 'c25-b', '--include-resources', 'namespaces'),
    unknown: await restore('c25-r3', 'c25-b', '--include-resources', 'nosuchthings'),
    noNamespace: await restore('c25-r4', 'c25-b', '--include-namespaces', 'c25-z*'),
    globs: await restore('c25-r5', 'c25-b', '--include-namespaces', 'c25-?', '--include-resources', 'cm'),
  };
  await removed();
  return { b, r1, a1, r };
}
