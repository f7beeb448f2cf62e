export const title = 'a second location: backups in it, restores from it, read-only, deleted, and found again';
export const namespaces = ['c19'];

export async function run({ apply, makeNamespaces, backup, restore, names, wipe, v, k, kjson, until, configMap }) {
  await makeNamespaces('c19');
  await apply(configMap('c19', 'm'));
  const location = async (name) => await kjson('-n', 'velero', 'get', 'backupstoragelocations.velero.io', name);
  const { spec } = await location('default');
  const second = {
    apiVersion: 'velero.io/v1',
    kind: 'BackupStorageLocation',
    metadata: { name: 'c19-second', namespace: 'velero' },
    spec: {
      ...spec,
      default: false,
      backupSyncPeriod: '1s',
      validationFrequency: '1s',
      // Inside a folder that Velero knows: another one would make the default location unavailable.
      objectStorage: { ...spec.objectStorage, prefix: 'plugins/c19' },
    },
  };
  const make = async () => {
    await apply(JSON.stringify(second));
    await until('available', async () => (await location('c19-second')).status?.phase === 'Available');
  };
  await make();
  const b = await backup('c19-b', '--include-namespaces', 'c19', '--storage-location', 'c19-second');
  const object = await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c19-b');
  const row = (await v('backup', 'get', 'c19-b')).out.split('\n')[1].split(/\s{2,}/);
  const gone = await v('backup-location', 'delete', 'c19-second', '--confirm');
  await until('the backup left', async () => (await v('backup', 'get', 'c19-b')).code !== 0);
  await make();
  await until('the backup is back', async () => (await v('backup', 'get', 'c19-b')).code === 0, 150);
  const back = await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c19-b');
  await k('-n', 'velero', 'patch', 'bsl', 'c19-second', '--type=merge', '-p', '{"spec":{"accessMode":"ReadOnly"}}');
  const refused = await backup('c19-read-only', '--include-namespaces', 'c19', '--storage-location', 'c19-second');
  await wipe('c19');
  const r = await restore('c19-r', 'c19-b');
  const after = await names('c19', 'cm');
  await k('-n', 'velero', 'patch', 'bsl', 'c19-second', '--type=merge', '-p', '{"spec":{"accessMode":"ReadWrite"}}');
  const deleted = await v('backup', 'delete', 'c19-b', '--confirm');
  await until('the backup is deleted', async () => (await v('backup', 'get', 'c19-b')).code !== 0);
  await v('backup-location', 'delete', 'c19-second', '--confirm');
  return {
    b,
    in: [object.spec.storageLocation, object.metadata.labels['velero.io/storage-location'], row.includes('c19-second')],
    gone: gone.code,
    back: [back.status.phase, back.spec.storageLocation, back.status.progress.itemsBackedUp > 0],
    owners: back.metadata.ownerReferences ?? [],
    finalizers: back.metadata.finalizers ?? [],
    refused: { phase: refused.phase, problems: refused.problems },
    r,
    after,
    deleted: deleted.code,
  };
}
