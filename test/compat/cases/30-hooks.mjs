import { plain, saying, wordless } from '../stock-text.mjs';

export const title =
  'describe of backups with every field, as text and JSON; hooks of pods that do not run; what is not there';
export const namespaces = ['c30', 'c30-b'];

const selector = { matchLabels: { app: 'x' } };
const pre = [{ exec: { container: 'c', command: ['/bin/true', 'a'], onError: 'Continue', timeout: '5s' } }];
const post = [{ exec: { command: ['/bin/false'] } }];
const hooks = { resources: [{ name: 'h', includedNamespaces: ['c30'], labelSelector: selector, pre, post }] };
const FULL = {
  ...{ includedNamespaces: ['c30', 'c30-b'], excludedNamespaces: ['c30-c'], includedResources: ['*'] },
  ...{ excludedResources: ['secrets'], includeClusterResources: false, ttl: '1h2m3s', csiSnapshotTimeout: '1m0s' },
  orLabelSelectors: [selector, { matchExpressions: [{ key: 'b', operator: 'In', values: ['c', 'd'] }] }],
  ...{
    itemOperationTimeout: '2h0m0s',
    snapshotVolumes: true,
    defaultVolumesToFsBackup: false,
    snapshotMoveData: false,
  },
  ...{ hooks, orderedResources: { configmaps: 'c30/m' }, uploaderConfig: { parallelFilesUpload: 2 } },
};
const SCOPED = {
  ...{ includedNamespaces: ['c30'], includedClusterScopedResources: ['namespaces'] },
  ...{ excludedClusterScopedResources: ['nodes'], includedNamespaceScopedResources: ['configmaps'] },
  excludedNamespaceScopedResources: ['secrets'],
  labelSelector: { ...selector, matchExpressions: [{ key: 'y', operator: 'DoesNotExist' }] },
};
const REFUSED = { includedNamespaces: ['c30'], excludedNamespaces: ['c30'] };
const note = (when, notes) =>
  Object.fromEntries(Object.entries(notes).map(([name, value]) => [`${when}.hook.backup.velero.io/${name}`, value]));

export async function run({ apply, makeNamespaces, v, k, kjson, until, backup, waitFor, sleep, ...tools }) {
  const { configMap, secret, docs } = tools;
  const say = saying(v);
  const made = async (kind, name, rest) => {
    const metadata = { name, namespace: 'velero', ...rest.metadata };
    await apply(JSON.stringify({ apiVersion: 'velero.io/v1', kind, ...rest, metadata }));
  };
  const out = {};
  await makeNamespaces('c30', 'c30-b');
  await apply(docs(configMap('c30', 'm', { app: 'x' }), secret('c30', 's'), configMap('c30-b', 'm')));
  await until('service account', async () => (await k('-n', 'c30', 'get', 'sa', 'default', '-o', 'name')) !== '');
  for (const [name, spec] of Object.entries({ full: FULL, scoped: SCOPED, refused: REFUSED })) {
    await made('Backup', `c30-${name}`, { spec, metadata: { labels: { a: 'b' }, annotations: { note: 'x' } } });
    await waitFor('backups', `c30-${name}`);
    out[name] = wordless(await say('backup', 'describe', `c30-${name}`, '--details'));
    const { out: json } = await v('backup', 'describe', `c30-${name}`, '--details', '-o', 'json');
    // The words of a refusal are Headway's own.
    out[`${name}Json`] = plain(json).filter((line) => !line.includes('Invalid included/excluded'));
  }

  const pod = (name, annotations) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'c30', labels: { app: 'x' }, annotations } },
    spec: { nodeSelector: { none: 'such' }, containers: [{ name: 'c', image: 'none/none:1' }] },
  });
  await apply(JSON.stringify(pod('p', note('pre', { command: '["/bin/true"]', container: 'c', timeout: '4s' }))));
  await apply(JSON.stringify(pod('q', note('post', { command: '/bin/true', 'on-error': 'Continue' }))));
  await apply(JSON.stringify(pod('r', note('pre', { command: '/bin/true', container: 'nonesuch' }))));
  // Velero counts a pod that its hook kept out as backed up; Headway does not.
  const { counted: _, ...hooked } = await backup('c30-hooked', '--include-namespaces', 'c30');
  out.hooked = hooked;
  const numbers = ({ status }) => [status.phase, status.hookStatus, status.errors ?? 0, status.warnings ?? 0];
  out.hookedNumbers = numbers(await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c30-hooked'));
  await made('Backup', 'c30-spec', { spec: { includedNamespaces: ['c30'], hooks } });
  out.specNumbers = numbers(await waitFor('backups', 'c30-spec'));

  const linked = async (kind, name) => {
    await made('DownloadRequest', 'c30-request', { spec: { target: { kind, name } } });
    await sleep(2500);
    const { status } = await kjson('-n', 'velero', 'get', 'downloadrequests.velero.io', 'c30-request');
    await k('-n', 'velero', 'delete', 'downloadrequests.velero.io', 'c30-request');
    return Boolean(status?.downloadURL);
  };
  out.links = [
    await linked('BackupLog', 'c30-no'),
    await linked('RestoreLog', 'c30-no'),
    await linked('BackupLog', 'c30-refused'),
  ];
  await made('DeleteBackupRequest', 'c30-del', { spec: { backupName: 'c30-no' } });
  out.deletion = await until('processed', async () => {
    const { status } = await kjson('-n', 'velero', 'get', 'deletebackuprequests.velero.io', 'c30-del');
    return status?.phase === 'Processed' ? status.errors : undefined;
  });
  await k('-n', 'velero', 'delete', 'deletebackuprequests.velero.io', 'c30-del');
  out.version = (await say('version')).map((line) =>
    String(line)
      .replace(/v\d+\.\d+\.\d+\S*/, 'V')
      .replace(/commit: .*/, ''),
  );
  out.plugins = (await say('plugin', 'get'))[1].split(/\s+/);
  return out;
}
