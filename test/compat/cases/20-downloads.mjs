import { gunzipSync } from 'node:zlib';

export const title = 'every kind of download request gets a link, and what it points to has the shape that is expected';
export const namespaces = ['c20'];

const KINDS = {
  'c20-b': [
    'BackupLog',
    'BackupContents',
    'BackupVolumeSnapshots',
    'BackupItemOperations',
    'BackupResourceList',
    'BackupResults',
    'BackupVolumeInfos',
    'CSIBackupVolumeSnapshots',
    'CSIBackupVolumeSnapshotContents',
  ],
  'c20-r': ['RestoreLog', 'RestoreResults', 'RestoreResourceList', 'RestoreItemOperations', 'RestoreVolumeInfo'],
};

export async function run({ apply, makeNamespaces, backup, restore, wipe, kjson, k, until, configMap }) {
  await makeNamespaces('c20');
  await apply(configMap('c20', 'm'));
  const b = await backup('c20-b', '--include-namespaces', 'c20');
  await wipe('c20');
  const r = await restore('c20-r', 'c20-b');
  const got = {};
  for (const [name, kinds] of Object.entries(KINDS)) {
    for (const kind of kinds) {
      const request = `c20-${kind.toLowerCase()}`;
      const metadata = { name: request, namespace: 'velero' };
      await apply(
        JSON.stringify({
          apiVersion: 'velero.io/v1',
          kind: 'DownloadRequest',
          metadata,
          spec: { target: { kind, name } },
        }),
      );
      const { status } = await until(`${kind} answered`, async () => {
        const object = await kjson('-n', 'velero', 'get', 'downloadrequests.velero.io', request);
        return object.status?.downloadURL ? object : undefined;
      });
      const minutes = Math.round((Date.parse(status.expiration) - Date.now()) / 60_000);
      const answer = await fetch(status.downloadURL);
      const bytes = Buffer.from(await answer.arrayBuffer());
      got[kind] = [status.phase, minutes, answer.status, answer.status === 200 ? shape(kind, bytes) : ''];
      await k('-n', 'velero', 'delete', 'downloadrequests.velero.io', request);
    }
  }
  return { b: b.phase, r: r.phase, got };
}

function shape(kind, bytes) {
  const text = gunzipSync(bytes).toString();
  if (kind.endsWith('Log')) return /^time="[^"]+" level=info msg=/.test(text) ? 'log' : text.slice(0, 100);
  if (kind === 'BackupContents') return bytes.length > 0 ? 'tar' : '';
  const value = JSON.parse(text);
  // Of the cluster's own ConfigMap Velero says that it differs, because another process wrote it; we compare the content.
  const isOurs = (text) => !text.includes('kube-root-ca.crt');
  if (kind.endsWith('ResourceList')) return value['v1/ConfigMap'].filter(isOurs);
  if (kind.endsWith('Results'))
    return [
      Object.keys(value).sort(),
      value.errors,
      Object.values(value.warnings.namespaces ?? {})
        .flat()
        .filter(isOurs),
    ];
  return value;
}
