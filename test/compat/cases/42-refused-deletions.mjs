import { saying } from '../stock-text.mjs';

export const title =
  'backups in a read-only location are not deleted; what is being deleted is not backed up; an empty backup; namespaces change places';
export const namespaces = ['c42', 'c42-a', 'c42-b'];

export async function run({
  apply,
  makeNamespaces,
  backup,
  restore,
  dump,
  wipe,
  v,
  k,
  kjson,
  until,
  exists,
  ...tools
}) {
  const { configMap, docs } = tools;
  const say = saying(v);
  const out = {};
  const location = async (name) => await kjson('-n', 'velero', 'get', 'bsl', name);
  const { spec } = await location('default');
  const second = {
    ...{
      apiVersion: 'velero.io/v1',
      kind: 'BackupStorageLocation',
      metadata: { name: 'c42-two', namespace: 'velero' },
    },
    spec: {
      ...{ ...spec, default: false, validationFrequency: '1s', backupSyncPeriod: '0s' },
      objectStorage: { ...spec.objectStorage, prefix: 'plugins/c42' },
    },
  };
  const setMode = async (accessMode) => {
    await k('-n', 'velero', 'patch', 'bsl', 'c42-two', '--type=merge', '-p', JSON.stringify({ spec: { accessMode } }));
  };
  const requests = async () => {
    const { items } = await kjson('-n', 'velero', 'get', 'deletebackuprequests.velero.io');
    return items.filter((one) => one.spec.backupName === 'c42-kept');
  };
  await makeNamespaces('c42');
  await apply(docs(configMap('c42', 'm'), JSON.stringify(second)));
  await until('available', async () => (await location('c42-two')).status?.phase === 'Available');
  out.kept = await backup('c42-kept', '--include-namespaces', 'c42', '--storage-location', 'c42-two');
  await setMode('ReadOnly');
  for (const attempt of ['first', 'second']) {
    const before = (await requests()).map(({ metadata }) => metadata.name);
    out[attempt] = await say('backup', 'delete', 'c42-kept', '--confirm');
    const request = await until('processed', async () => {
      const isNew = ({ metadata, status }) => status?.phase === 'Processed' && !before.includes(metadata.name);
      return (await requests()).find(isNew);
    });
    out[`${attempt}Request`] = [request.status.errors, Object.keys(request.metadata.labels).sort()];
  }
  out.one = await until('one request', async () => (await requests()).length === 1);
  out.phase = (await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c42-kept')).status.phase;
  out.described = await say('backup', 'describe', 'c42-kept');
  await wipe('c42');
  out.restored = await restore('c42-r', 'c42-kept');
  await setMode('ReadWrite');
  out.third = await say('backup', 'delete', 'c42-kept', '--confirm');
  await until('gone', async () => !(await exists('-n', 'velero', 'backups.velero.io', 'c42-kept')));
  out.left = (await requests()).length;
  await say('backup-location', 'delete', 'c42-two', '--confirm');

  const held = { name: 'going', namespace: 'c42', finalizers: ['example.com/hold'] };
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: held, data: { k: 'v' } }));
  out.before = await backup('c42-before', '--include-namespaces', 'c42');
  await k('-n', 'c42', 'delete', 'cm', 'going', '--wait=false');
  out.going = await backup('c42-going', '--include-namespaces', 'c42');
  out.over = await restore('c42-over', 'c42-before', '--existing-resource-policy', 'update');
  await k('-n', 'c42', 'patch', 'cm', 'going', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');

  const nothing = ['--include-resources', 'configmaps', '--selector', 'no=thing'];
  out.empty = await backup('c42-empty', '--include-namespaces', 'c42', ...nothing);
  out.emptyRestore = await restore('c42-er', 'c42-empty');
  out.emptyWarnings = (await kjson('-n', 'velero', 'get', 'restores.velero.io', 'c42-er')).status.warnings;

  await makeNamespaces('c42-a', 'c42-b');
  const maps = [configMap('c42-a', 'm', {}, { of: 'a' }), configMap('c42-b', 'm', {}, { of: 'b' })];
  await apply(docs(...maps, configMap('c42-b', 'only')));
  await backup('c42-ab', '--include-namespaces', 'c42-a,c42-b');
  await wipe('c42-a', 'c42-b');
  out.swapped = await restore('c42-ba', 'c42-ab', '--namespace-mappings', 'c42-a:c42-b,c42-b:c42-a');
  out.places = [await dump('c42-a', 'cm'), await dump('c42-b', 'cm')];
  return out;
}
