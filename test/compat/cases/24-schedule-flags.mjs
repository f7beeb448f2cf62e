import { setTimeout as sleep } from 'node:timers/promises';
import { saying, wordless } from '../stock-text.mjs';

export const title = 'schedules: every flag, described, mended, paused, run by hand, restored from, deleted by label';
export const namespaces = ['c24'];

const flags = [
  ...['--include-namespaces', 'c24', '--ttl', '26h30m', '--labels', 'a=b,c24=yes', '--annotations', 'note=hello'],
  ...['--storage-location', 'default', '--include-resources', 'configmaps,secrets', '--exclude-resources', 'pods'],
  ...['--selector', 'app=x', '--ordered-resources', 'configmaps=c24/m;secrets=c24/s', '--snapshot-volumes=false'],
  ...['--default-volumes-to-fs-backup=false', '--csi-snapshot-timeout', '3m', '--item-operation-timeout', '5h'],
  ...['--include-cluster-resources=false', '--parallel-files-upload', '3'],
];
// Of the ordered resources in any order: a map of the CLI.
const ordered = (lines) => lines.filter((line) => !/^ {2,4}(secrets|configmaps): c24/.test(line));
const row = (lines) => lines[2]?.split(/\s{2,}/).filter((cell) => /c24|Enabled|0 3|h30m|true|false|app=x/.test(cell));

export async function run({ apply, makeNamespaces, v, k, kjson, until, waitFor, restore, wipe, configMap }) {
  const say = saying(v);
  const schedule = async (name) => await kjson('-n', 'velero', 'get', 'schedules.velero.io', name);
  const seen = async (name) => await until(`${name} seen`, async () => (await schedule(name)).status?.phase, 70);
  const make = async (name, line) => {
    const metadata = { name, namespace: 'velero' };
    const spec = { schedule: line, template: {} };
    await apply(JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Schedule', metadata, spec }));
    await seen(name);
    return (await schedule(name)).status;
  };
  const out = {};
  await makeNamespaces('c24');
  await apply(configMap('c24', 'm'));
  out.made = await say('schedule', 'create', 'c24-full', '--schedule', '0 3 1 1 *', ...flags);
  await seen('c24-full');
  const full = await schedule('c24-full');
  out.full = [full.spec, full.metadata.labels, full.metadata.annotations?.note, full.status.phase];
  out.described = ordered(await say('schedule', 'describe', 'c24-full'));
  out.row = row(await say('schedule', 'get', 'c24-full'));
  out.from = await say('backup', 'create', 'c24-from', '--from-schedule', 'c24-full', '--wait');
  const from = await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c24-from');
  // The ordered names are not selected by the label, or not there: one warning each.
  out.fromBackup = [from.spec, from.metadata.labels, from.metadata.annotations.note, from.status.warnings];
  out.fromDescribed = ordered(wordless(await say('backup', 'describe', 'c24-from', '--details')));
  out.lastBackup = typeof (await schedule('c24-full')).status.lastBackup;
  // The newest of a schedule's backups is known by the second in which it began.
  await sleep(1100);
  out.unnamed = await say('backup', 'create', '--from-schedule', 'c24-full');
  const unnamed = await until('unnamed', async () => {
    const { items } = await kjson('-n', 'velero', 'get', 'backups.velero.io', '-l', 'velero.io/schedule-name=c24-full');
    return items.find(({ metadata }) => /^c24-full-\d{14}$/.test(metadata.name));
  });
  await waitFor('backups', unnamed.metadata.name);

  out.least = await say('schedule', 'create', 'c24-least', '--schedule', '@every 24h');
  await seen('c24-least');
  out.leastSpec = (await schedule('c24-least')).spec;
  out.leastDescribed = await say('schedule', 'describe', 'c24-least');
  out.noneYet = await restore('c24-r0', '--from-schedule=c24-least');
  out.noSchedule = await restore('c24-r1', '--from-schedule=c24-nowhere');

  out.bad = await make('c24-bad', '1 2 3').then(({ phase, validationErrors }) => [phase, validationErrors]);
  out.badDescribed = await say('schedule', 'describe', 'c24-bad');
  await k('-n', 'velero', 'patch', 'schedule', 'c24-bad', '--type=merge', '-p', '{"spec":{"schedule":"0 0 1 1 *"}}');
  out.mended = await until('mended', async () => {
    const { phase, validationErrors } = (await schedule('c24-bad')).status;
    return phase === 'Enabled' ? [phase, validationErrors ?? null] : undefined;
  });
  out.empty = (await make('c24-empty', '')).validationErrors;

  out.paused = await say('schedule', 'pause', '--selector', 'c24=yes');
  out.pausedRow = row(await say('schedule', 'get', 'c24-full'));
  out.bornPaused = await say('schedule', 'create', 'c24-born', '--schedule', '@every 1s', '--paused');
  out.unpaused = await say('schedule', 'unpause', 'c24-full', '--skip-immediately=true');
  out.skipped = await until('skipped', async () => {
    const { spec, status } = await schedule('c24-full');
    return status.lastSkipped ? [spec.skipImmediately, spec.paused] : undefined;
  });
  const born = await schedule('c24-born');
  out.born = [born.status?.phase ?? null, born.spec];
  for (const verb of ['pause', 'describe', 'get']) out[`${verb}None`] = await say('schedule', verb, 'c24-nowhere');
  await wipe('c24');
  out.restored = await restore('c24-r', '--from-schedule=c24-full');
  const { spec } = await kjson('-n', 'velero', 'get', 'restores.velero.io', 'c24-r');
  out.restoreSpec = { ...spec, backupName: spec.backupName?.replace(/\d{14}/, 'STAMP') };
  out.deleted = await say('schedule', 'delete', '--selector', 'c24=yes', '--confirm');
  return out;
}
