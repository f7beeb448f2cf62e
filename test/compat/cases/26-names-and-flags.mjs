import { saying, wordless } from '../stock-text.mjs';

export const title =
  'backups: names, labels, ttl, what is not there, selectors, policies; what is refused is described';
export const namespaces = ['c26', 'c26-x'];

const LONG = `c26-${'n'.repeat(80)}`;
const skip = (conditions) => `version: v1\nvolumePolicies:\n- {conditions: ${conditions}, action: {type: skip}}\n`;
const POLICIES = {
  bad: 'version: v1\nvolumePolicies: 3',
  version: 'version: v2\nvolumePolicies: []',
  action: 'version: v1\nvolumePolicies:\n- {conditions: {capacity: "0,10Gi"}, action: {type: destroy}}\n',
  condition: skip('{size: "0,10Gi"}'),
  fine: skip('{capacity: "0,10Gi"}'),
  types: 'version: v1\nincludeExcludePolicy: {includedNamespaceScopedResources: [configmaps]}\n',
};

export async function run({ apply, makeNamespaces, v, k, kjson, until, waitFor, backup, restore, wipe, ...tools }) {
  const { configMap, secret, docs } = tools;
  const say = saying(v);
  const object = async (name) => await kjson('-n', 'velero', 'get', 'backups.velero.io', name);
  const within = ['--include-namespaces', 'c26'];
  const out = {};
  await makeNamespaces('c26');
  await apply(docs(configMap('c26', 'm', { app: 'x' }), secret('c26', 's')));
  out.wait = await say('backup', 'create', 'c26-wait', ...within, '--wait');
  out.again = await say('backup', 'create', 'c26-wait', ...within);
  out.yaml = await say('backup', 'create', 'c26-dry', ...within, '-o', 'yaml');
  out.tooLong = (await say('backup', 'create', `c26-${'m'.repeat(260)}`, ...within))[0];
  out.upper = (await say('backup', 'create', 'C26-Upper', ...within))[0];

  out.long = [await backup(LONG, ...within), (await object(LONG)).metadata.labels];
  out.longRestore = await restore(LONG, LONG, '--namespace-mappings', 'c26:c26-x');
  out.longLabels = (await kjson('-n', 'c26-x', 'get', 'cm', 'm')).metadata.labels;
  await wipe('c26-x');

  const noting = ['--labels', 'team=web,velero.io/x=y', '--annotations', 'note=hello,other=2'];
  out.noted = await backup('c26-noted', ...within, ...noting);
  const { metadata, spec } = await object('c26-noted');
  const own = Object.entries(metadata.annotations).filter(([name]) => !/headway|source-cluster/.test(name));
  out.notedObject = [metadata.labels, own.sort(), metadata.finalizers ?? [], spec];

  const cases = {
    ttl0: ['--ttl', '0'],
    partThere: ['--include-namespaces', 'c26-not-there'],
    unknownKind: ['--include-resources', 'configmaps,nonesuch'],
    unknownExcluded: ['--exclude-resources', 'nonesuch,secrets'],
    short: ['--include-resources', 'cm,secret'],
    star: ['--include-resources', '*'],
    nothing: ['--exclude-resources', '*'],
    sets: ['--selector', 'app in (x,y),!gone'],
    notIn: ['--selector', 'app notin (x)'],
  };
  for (const [name, flags] of Object.entries(cases))
    out[name] = await backup(`c26-${name.toLowerCase()}`, ...within, ...flags);
  out.ttl0Spec = (await object('c26-ttl0')).spec.ttl;
  const missing = ['--include-namespaces', 'c26-not-there'];
  out.notThere = await backup('c26-nt', ...missing);
  // Where no namespace is wanted as an object, one that is not there is nobody's loss.
  out.notMissed = [
    await backup('c26-nt1', ...missing, '--include-resources', 'configmaps'),
    await backup('c26-nt2', ...missing, ...within, '--include-cluster-resources=false'),
    await backup('c26-nt3', ...within, '--exclude-namespaces', 'c26-not-there'),
  ];
  out.globs = await backup('c26-globs', '--include-namespaces', 'c2[6]*,c26-not-there');
  out.everything = await backup('c26-all', '--include-namespaces', '*', '--exclude-namespaces', '*');
  out.badTtl = (await say('backup', 'create', 'c26-ttl', ...within, '--ttl', 'tomorrow'))[0];
  out.badSelector = (await say('backup', 'create', 'c26-sel', ...within, '--selector', 'a=b=c'))[0];
  out.twoSelectors = await say('backup', 'create', 'c26-two', ...within, '--selector', 'a=b', '--or-selector', 'c=d');

  for (const [name, text] of Object.entries(POLICIES)) {
    const policy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c26-${name}`, namespace: 'velero' } };
    await apply(JSON.stringify({ ...policy, data: { policy: text } }));
    out[`policy ${name}`] = await backup(`c26-p-${name}`, ...within, '--resource-policies-configmap', `c26-${name}`);
    await k('-n', 'velero', 'delete', 'cm', `c26-${name}`);
  }
  out.policyDescribed = await say('backup', 'describe', 'c26-p-fine');
  out.refused = await backup('c26-refused', ...within, '--resource-policies-configmap', 'c26-nowhere');
  out.refusedDescribed = wordless(await say('backup', 'describe', 'c26-refused', '--details'));
  out.refusedLogs = await say('backup', 'logs', 'c26-refused');
  out.refusedRow = (await say('backup', 'get', 'c26-refused'))[2].split(/\s{2,}/).slice(0, 5);
  out.byLabel = (await say('backup', 'get', '--selector', 'team=web')).map((line) => String(line).split(/\s{2,}/)[0]);
  out.none = [await say('backup', 'get', 'c26-nowhere'), await say('backup', 'delete', 'c26-nowhere', '--confirm')];
  out.deleted = await say('backup', 'delete', '--selector', 'team=web', '--confirm');
  await until('deleted', async () => (await v('backup', 'get', 'c26-noted')).code !== 0);
  return out;
}
