import { saying, wordless } from '../stock-text.mjs';

export const title = 'restores: flags, labels, names, wrong ones; described and deleted by label';
export const namespaces = ['c27', 'c27-new'];

const make = (name, spec) =>
  JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Restore', metadata: { name, namespace: 'velero' }, spec });
const selector = { matchLabels: { a: 'b' } };
const WRONG = {
  policy: { backupName: 'c27-b', existingResourcePolicy: 'replace' },
  source: {},
  both: { backupName: 'c27-b', labelSelector: selector, orLabelSelectors: [selector] },
  lists: { backupName: 'c27-b', excludedNamespaces: ['*'], includedResources: ['pods'], excludedResources: ['pods'] },
};

export async function run({
  apply,
  makeNamespaces,
  v,
  k,
  kjson,
  until,
  waitFor,
  backup,
  restore,
  names,
  wipe,
  ...tools
}) {
  const { configMap, secret, docs } = tools;
  const say = saying(v);
  const object = async (name) => await kjson('-n', 'velero', 'get', 'restores.velero.io', name);
  const out = {};
  await makeNamespaces('c27');
  await apply(docs(configMap('c27', 'm', { app: 'x' }), configMap('c27', 'n', { app: 'y' }), secret('c27', 's')));
  out.b = await backup('c27-b', '--include-namespaces', 'c27');
  await wipe('c27');
  const noting = ['--labels', 'c27=yes', '--annotations', 'note=x'];
  out.wait = await say('restore', 'create', 'c27-wait', '--from-backup', 'c27-b', '--wait', ...noting);
  const { metadata, spec } = await object('c27-wait');
  out.object = [metadata.labels, metadata.annotations.note, metadata.finalizers, spec];
  await wipe('c27');
  out.unnamed = await say('restore', 'create', '--from-backup', 'c27-b');
  const unnamed = await until('unnamed', async () => {
    const { items } = await kjson('-n', 'velero', 'get', 'restores.velero.io');
    return items.find((item) => /^c27-b-\d{14}$/.test(item.metadata.name));
  });
  await waitFor('restores', unnamed.metadata.name);
  await wipe('c27');
  out.mapped = await restore('c27-map', 'c27-b', '--selector', 'app=x', '--namespace-mappings', 'c27:c27-new,no:where');
  out.mappedLeft = await names('c27-new', 'cm,secrets');
  out.unknown = await restore('c27-unknown', 'c27-b', '--include-resources', 'nonesuch');
  out.elsewhere = await restore('c27-elsewhere', 'c27-b', '--include-namespaces', 'c27-nowhere');
  out.nodes = await restore('c27-nodes', 'c27-b', '--include-resources', 'nodes');
  for (const [name, wrong] of Object.entries(WRONG)) {
    await apply(make(`c27-${name}`, wrong));
    const { status, spec: filled } = await waitFor('restores', `c27-${name}`);
    out[`wrong ${name}`] = [status.phase, status.validationErrors?.length, filled];
  }
  out.wrongDescribed = wordless(await say('restore', 'describe', 'c27-policy'));
  out.wrongLogs = await say('restore', 'logs', 'c27-policy');
  const flags = [
    ...['--item-operation-timeout', '2h', '--restore-volumes=false', '--preserve-nodeports=false'],
    ...['--write-sparse-files', '--parallel-files-download', '2', '--existing-resource-policy', 'update'],
  ];
  out.flags = await restore('c27-flags', 'c27-b', ...flags);
  out.flagsSpec = (await object('c27-flags')).spec;
  out.flagsDescribed = await say('restore', 'describe', 'c27-flags', '--details');
  await k('-n', 'c27', 'patch', 'cm', 'm', '--type=merge', '-p', '{"data":{"k":"other"}}');
  out.warned = await restore('c27-warned', 'c27-b');
  const described = await v('restore', 'describe', 'c27-warned');
  out.warnings = described.out.match(/could not restore, ConfigMap:m already exists. Warning: .*/g);
  out.unsaid = [
    await say('restore', 'create', 'c27-none'),
    await say('restore', 'create', 'c27-both', '--from-backup', 'a', '--from-schedule', 'b'),
    await say('restore', 'create', 'c27-bad', '--from-backup', 'c27-b', '--existing-resource-policy', 'replace'),
  ].map(([code, ...lines]) => [code, lines.find((line) => line.includes('rror'))]);
  out.yaml = await say('restore', 'create', 'c27-dry', '--from-backup', 'c27-b', '-o', 'yaml');
  out.deleted = await say('restore', 'delete', '--selector', 'c27=yes', '--confirm');
  await until('deleted', async () => (await v('restore', 'get', 'c27-wait')).code !== 0);
  out.deletedNone = await say('restore', 'delete', 'c27-nowhere', '--confirm');
  return out;
}
