export const title = 'a schedule runs when it is due and not while it is paused, and owns its backups when told to';
export const namespaces = ['c17'];

export async function run({ apply, makeNamespaces, v, kjson, until, waitFor, sleep, configMap }) {
  await makeNamespaces('c17');
  await apply(configMap('c17', 'm'));
  const schedule = async (name) => await kjson('-n', 'velero', 'get', 'schedules.velero.io', name);
  const backups = async (name) =>
    (await kjson('-n', 'velero', 'get', 'backups.velero.io', '-l', `velero.io/schedule-name=${name}`)).items;
  const flags = ['--include-namespaces', 'c17', '--ttl', '3h'];
  const owned = ['--use-owner-references-in-backup', '--annotations', 'note=hello', '--labels', 'x=y'];
  const made = [
    await v('schedule', 'create', 'c17-runs', '--schedule', '@every 1s', ...flags, ...owned),
    await v('schedule', 'create', 'c17-paused', '--schedule', '@every 1s', '--paused', ...flags),
    await v(
      'schedule',
      'create',
      'c17-skips',
      '--schedule',
      'CRON_TZ=Europe/Berlin 0 3 1 1 *',
      '--skip-immediately=true',
      ...flags,
    ),
  ];
  const [first] = await until('the first run', async () => {
    const items = await backups('c17-runs');
    return items.length > 0 ? items : undefined;
  });
  const paused = await v('schedule', 'pause', 'c17-runs');
  const b = await waitFor('backups', first.metadata.name);
  const s = await schedule('c17-runs');
  const skips = await schedule('c17-skips');
  const count = (
    await until('nothing runs', async () => {
      const items = await backups('c17-runs');
      return items.every(({ status }) => status?.phase === 'Completed') ? items : undefined;
    })
  ).length;
  await sleep(2500);
  const still = (await backups('c17-runs')).length === count;
  const get = await v('schedule', 'get', 'c17-runs');
  const never = (await backups('c17-paused')).length;
  const unpaused = [await v('schedule', 'unpause', 'c17-paused', '--skip-immediately=true')];
  for (const name of ['c17-runs', 'c17-paused', 'c17-skips']) await v('schedule', 'delete', name, '--confirm');
  return {
    made: made.map(({ code }) => code),
    paused: paused.code,
    unpaused: unpaused.map(({ code }) => code),
    name: /^c17-runs-\d{14}$/.test(first.metadata.name),
    labels: b.metadata.labels,
    note: b.metadata.annotations.note,
    owners: b.metadata.ownerReferences?.map(({ uid, ...rest }) => ({ ...rest, same: uid === s.metadata.uid })),
    spec: b.spec,
    phase: b.status.phase,
    lastBackup: typeof s.status.lastBackup,
    // Velero does not look at a schedule that is paused; we tell at once whether it could run.
    status: [s.status.phase, skips.status?.phase],
    skips: [skips.spec.skipImmediately, typeof skips.status?.lastSkipped, skips.spec.paused],
    never,
    still,
    get: get.out.split('\n')[0].split(/\s{2,}/),
    row: get.out
      .split('\n')[1]
      ?.split(/\s{2,}/)
      .filter((cell) => /c17|Enabled|@every|true|false/.test(cell)),
  };
}
