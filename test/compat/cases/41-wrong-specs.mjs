export const title = 'wrong and odd fields of backups and restores, and every kind of cron line';
export const namespaces = ['c41'];

const selector = { matchLabels: { a: 'b' } };
const within = { includedNamespaces: ['c41'] };
const BACKUPS = {
  many: {
    ...{ ...within, excludedNamespaces: ['c41'], includedResources: ['pods'], excludedResources: ['pods'] },
    ...{ storageLocation: 'nowhere', volumeSnapshotLocations: ['nowhere'], labelSelector: selector },
    ...{ orLabelSelectors: [selector], resourcePolicy: { kind: 'configmap', name: 'none' } },
  },
  'both-lists': { ...within, includedResources: ['pods'], excludedResources: ['pods', 'po'] },
  'scoped-star': { ...within, excludedClusterScopedResources: ['*'], includedClusterScopedResources: ['namespaces'] },
  'scoped-both': {
    ...{ ...within, excludedNamespaceScopedResources: ['pods'], includedNamespaceScopedResources: ['pods', '*'] },
  },
  'scoped-flag': { ...within, includeClusterResources: true, includedNamespaceScopedResources: ['pods'] },
  'both-selectors': { ...within, labelSelector: {}, orLabelSelectors: [selector] },
  upper: { includedNamespaces: ['C41'] },
  open: { includedNamespaces: ['c41['] },
  'zero-times': { ...within, ttl: '0s', csiSnapshotTimeout: '0s', itemOperationTimeout: '0s' },
  restic: { ...within, defaultVolumesToRestic: true },
};
const from = { backupName: 'c41-ok' };
const RESTORES = {
  'star-and': { ...from, includedNamespaces: ['*', 'c41'] },
  'exclude-star': { ...from, excludedResources: ['*'] },
  'both-empty': { ...from, labelSelector: {}, orLabelSelectors: [] },
  never: { ...from, includedResources: ['events', 'nodes', 'backups.velero.io'] },
  'never-grouped': { ...from, includedResources: ['events.events.k8s.io', 'csinodes.storage.k8s.io'] },
  'short-name': { ...from, includedResources: ['no'] },
  'bad-container': {
    ...{ ...from, hooks: { resources: [{ name: 'h', postHooks: [{ init: { initContainers: [{ name: 'a' }] } }] }] } },
  },
  schedule: { scheduleName: 'nowhere' },
};
// Not 31 February: Headway says that it never comes.
const LINES = [
  ...['@hourly', '@every 90h', '0 0 * * 7', '0 0 * * SUN', '60 * * * *', 'TZ=UTC 0 0 1 1 *', '@reboot', '@every 1d'],
  ...['CRON_TZ=Nowhere/X 0 0 1 1 *', '@every 100h0m1.5s', '@every -1h', '0 0 0 1 1 *', ' 0 0 1 1 * ', '@Daily'],
  ...['0 0 1,15 1 *', '0 0 ? 1 *', '0 0 L * *', '0 0 1 JAN mon-fri', '0 0 1-40 * *', '*/0 * * * *', '0 0 1/3 1 *'],
  ...['0 0 * 13 *', '0 0 1 1 6-2', 'CRON_TZ=Europe/Berlin', '0 0 5-1 1 *', '0 22-2 1 1 *', '0 0 1 nov-feb *'],
];

export async function run({ apply, makeNamespaces, backup, kjson, until, waitFor, configMap, docs }) {
  const made = (kind, name, spec) =>
    JSON.stringify({ apiVersion: 'velero.io/v1', kind, metadata: { name: `c41-${name}`, namespace: 'velero' }, spec });
  const out = { backups: {}, restores: {}, lines: {} };
  await makeNamespaces('c41');
  await apply(configMap('c41', 'm'));
  await backup('c41-ok', '--include-namespaces', 'c41');
  const template = { includedNamespaces: ['c41'] };
  await apply(
    docs(
      ...Object.entries(BACKUPS).map(([name, spec]) => made('Backup', name, spec)),
      ...Object.entries(RESTORES).map(([name, spec]) => made('Restore', name, spec)),
      ...LINES.map((schedule, at) => made('Schedule', `line-${at}`, { schedule, template })),
    ),
  );
  const told = ({ status }) => [status.phase, status.validationErrors?.length ?? 0, status.errors ?? 0];
  for (const name of Object.keys(BACKUPS)) {
    const object = await waitFor('backups', `c41-${name}`);
    const isRun = object.status.phase !== 'FailedValidation';
    out.backups[name] = [...told(object), ...(isRun ? [object.spec] : [])];
  }
  for (const name of Object.keys(RESTORES)) out.restores[name] = told(await waitFor('restores', `c41-${name}`));
  for (const [at, line] of LINES.entries()) {
    const { status } = await until(line, async () => {
      const object = await kjson('-n', 'velero', 'get', 'schedules.velero.io', `c41-line-${at}`);
      return ['Enabled', 'FailedValidation'].includes(object.status?.phase) ? object : undefined;
    });
    out.lines[line] = [status.phase, status.validationErrors?.length ?? 0];
  }
  return out;
}
