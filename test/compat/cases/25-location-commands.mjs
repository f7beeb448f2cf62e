import { saying } from '../stock-text.mjs';

export const title =
  'locations by the CLI: create, set, the default one, read-only, without a bucket or a provider, deleted; snapshot locations';
export const namespaces = ['c25'];

export async function run({ apply, makeNamespaces, v, k, kjson, until, backup, configMap }) {
  const say = saying(v);
  const location = async (name) => await kjson('-n', 'velero', 'get', 'bsl', name);
  const seen = async (name) => await until(`${name} seen`, async () => (await location(name)).status?.phase, 80);
  const out = {};
  await makeNamespaces('c25');
  await apply(configMap('c25', 'm'));
  const { spec } = await location('default');
  const config = Object.entries(spec.config ?? {}).map((entry) => entry.join('='));
  const { name, key } = spec.credential ?? {};
  const settings = [
    ...['--provider', spec.provider, ...(config.length === 0 ? [] : ['--config', config.join(',')])],
    ...(name === undefined ? [] : ['--credential', `${name}=${key}`]),
  ];
  const within = ['--include-namespaces', 'c25'];
  const create = async (name, ...flags) => await say('backup-location', 'create', name, ...settings, ...flags);
  out.made = await create(
    'c25-two',
    ...['--bucket', spec.objectStorage.bucket, '--prefix', 'plugins/c25', '--access-mode', 'ReadOnly'],
    ...['--backup-sync-period', '2m', '--validation-frequency', '5s', '--labels', 'c25=yes'],
  );
  out.phase = await seen('c25-two');
  const two = await location('c25-two');
  out.two = [
    { ...two.spec, provider: 'P', config: 'C', credential: 'S', objectStorage: two.spec.objectStorage.prefix },
    two.metadata.labels,
  ];
  out.again = await create('c25-two', '--bucket', spec.objectStorage.bucket);
  out.mode = (await create('c25-x', '--bucket', 'b', '--access-mode', 'Sometimes')).slice(0, 2);
  out.readOnly = await backup('c25-ro', ...within, '--storage-location', 'c25-two');

  out.setDefault = await say('backup-location', 'set', 'c25-two', '--default');
  out.isDefault = await until('one default', async () => {
    const both = [(await location('default')).spec.default ?? false, (await location('c25-two')).spec.default ?? false];
    return both[0] !== both[1] ? both : undefined;
  });
  out.setBack = await say('backup-location', 'set', 'default', '--default=true');
  out.setNone = await say('backup-location', 'set', 'c25-nowhere', '--default');
  await until('default', async () => (await location('default')).spec.default === true);

  out.odd = await say('backup-location', 'create', 'c25-odd', '--provider', 'example.com/none', '--bucket', 'x');
  out.oddPhase = await seen('c25-odd');
  out.oddBackup = await backup('c25-ob', ...within, '--storage-location', 'c25-odd');
  out.head = (await say('backup-location', 'get'))[1].split(/\s{2,}/);
  // Refused backups are found by the label of their location and go with it.
  out.deleted = await say('backup-location', 'delete', 'c25-odd', '--confirm');
  out.deletedByLabel = await say('backup-location', 'delete', '--selector', 'c25=yes', '--confirm');
  out.deletedNone = await say('backup-location', 'delete', 'c25-nowhere', '--confirm');

  const snapshots = ['snapshot-location'];
  const none = ['--provider', 'example.com/none'];
  out.vsl = await say(...snapshots, 'create', 'c25-vsl', ...none, '--config', 'a=b', '--labels', 'x=y');
  out.vslTable = await say(...snapshots, 'get');
  // Velero wants it to be there.
  await apply('apiVersion: v1\nkind: Secret\nmetadata: {name: c25-secret, namespace: velero}\nstringData: {cloud: x}');
  out.vslSet = await say(...snapshots, 'set', 'c25-vsl', '--credential', 'c25-secret=cloud');
  out.vslSpec = (await kjson('-n', 'velero', 'get', 'vsl', 'c25-vsl')).spec;
  const chosen = async (name, ...flags) => {
    const result = await backup(name, ...within, ...flags);
    if (result.refused !== undefined) return result;
    const { spec: filled } = await kjson('-n', 'velero', 'get', 'backups.velero.io', name);
    return [result.phase, result.problems ?? 0, filled.volumeSnapshotLocations ?? null];
  };
  out.only = await chosen('c25-only');
  out.onlyOff = await chosen('c25-off', '--snapshot-volumes=false');
  out.nowhere = await chosen('c25-nw', '--volume-snapshot-locations', 'nowhere');
  await say(...snapshots, 'create', 'c25-vsl2', ...none);
  out.several = await chosen('c25-several');
  out.severalOff = await chosen('c25-several-off', '--snapshot-volumes=false');
  out.named = await chosen('c25-named', '--volume-snapshot-locations', 'c25-vsl2');
  out.bothNamed = await chosen('c25-both', '--volume-snapshot-locations', 'c25-vsl2,c25-vsl');
  await k('-n', 'velero', 'delete', 'vsl/c25-vsl', 'vsl/c25-vsl2', 'secret/c25-secret');
  out.repositories = [await say('repo', 'get'), await say('repo', 'get', 'x')];
  return out;
}
