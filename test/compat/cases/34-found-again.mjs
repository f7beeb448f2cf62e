import { saying } from '../stock-text.mjs';

export const title =
  'an object that was deleted comes back from the store; restores go with or without their backup; schedules own backups';
export const namespaces = ['c34', 'c34-new'];

/** What must be the same on the backup that was made and on the one that was found; what is applied describes a Schedule. */
const facts = ({ metadata, spec, status }) => ({
  labels: metadata.labels,
  annotations: Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => !/headway|source-cluster|last-applied/.test(name),
  ),
  owners: metadata.ownerReferences?.map(({ uid: _, name: __, ...owner }) => owner) ?? null,
  finalizers: metadata.finalizers ?? null,
  // Velero writes empty hooks, and its own label into the template's.
  spec: { ...spec, hooks: undefined, metadata: undefined },
  status: [status.phase, status.version, status.formatVersion, typeof status.expiration, typeof status.startTimestamp],
});

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
  const { exists, configMap } = tools;
  const say = saying(v);
  const out = {};
  const objects = ['-n', 'velero', 'get', 'backups.velero.io'];
  const gone = async (kind, name) => {
    await until(`${name} gone`, async () => !(await exists('-n', 'velero', `${kind}.velero.io`, name)));
    return true;
  };
  const syncEvery = async (period) => {
    const patch = JSON.stringify({ spec: { backupSyncPeriod: period } });
    await k('-n', 'velero', 'patch', 'bsl', 'default', '--type=merge', '-p', patch);
  };
  await makeNamespaces('c34');
  await apply(configMap('c34', 'm'));
  await syncEvery('2s');
  const noting = ['--labels', 'a=b', '--annotations', 'note=x', '--ttl', '3h'];
  out.made = await backup('c34-b', '--include-namespaces', 'c34', ...noting);
  out.before = facts(await kjson(...objects, 'c34-b'));
  await k('-n', 'velero', 'delete', 'backups.velero.io', 'c34-b');
  await until('back', async () => await exists('-n', 'velero', 'backups.velero.io', 'c34-b'), 150);
  await syncEvery(null);
  out.found = facts(await kjson(...objects, 'c34-b'));
  out.described = await say('backup', 'describe', 'c34-b', '--details');
  await wipe('c34');
  out.restored = [await restore('c34-r', 'c34-b'), await names('c34', 'cm')];
  out.restoreDeleted = [await say('restore', 'delete', 'c34-r', '--confirm'), await gone('restores', 'c34-r')];
  out.kept = await exists('-n', 'velero', 'backups.velero.io', 'c34-b');
  out.again = await restore('c34-r', 'c34-b', '--namespace-mappings', 'c34:c34-new');
  out.deleted = await say('backup', 'delete', 'c34-b', '--confirm');
  out.both = [await gone('backups', 'c34-b'), await gone('restores', 'c34-r')];
  out.sameName = await backup('c34-b', '--include-namespaces', 'c34');
  const wrong = ['--include-namespaces', 'c34', '--exclude-namespaces', 'c34'];
  out.refused = await backup('c34-f', ...wrong);
  out.refusedDeleted = [await say('backup', 'delete', 'c34-f', '--confirm'), await gone('backups', 'c34-f')];

  const template = { metadata: { labels: { own: 'label' } }, includedNamespaces: ['c34'], ttl: '1h0m0s' };
  const metadata = { name: 'c34-s', namespace: 'velero', labels: { team: 'a' }, annotations: { note: 'y' } };
  const spec = { schedule: '@every 1s', useOwnerReferencesInBackup: true, template };
  await apply(JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Schedule', metadata, spec }));
  const run = await until('a run', async () => {
    const { items } = await kjson(...objects, '-l', 'velero.io/schedule-name=c34-s');
    return items.find((item) => item.metadata.ownerReferences !== undefined);
  });
  await v('schedule', 'pause', 'c34-s');
  out.run = facts(await waitFor('backups', run.metadata.name));
  out.schedule = (await kjson('-n', 'velero', 'get', 'schedules.velero.io', 'c34-s')).spec;
  // Those that go with their owner would be found again in the store.
  const { items } = await kjson(...objects, '-l', 'velero.io/schedule-name=c34-s');
  for (const item of items) await v('backup', 'delete', item.metadata.name, '--confirm');
  for (const item of items) await gone('backups', item.metadata.name);
  await say('schedule', 'delete', 'c34-s', '--confirm');
  return out;
}
