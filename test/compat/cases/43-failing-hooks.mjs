import { rm } from 'node:fs/promises';

export const title = 'pods whose hooks fail or whose files are wanted; settings that are there twice or name no class';
export const namespaces = ['c43', 'c43-b', 'c43-v'];

const PRE = 'pre.hook.backup.velero.io/';
const POST = 'post.hook.backup.velero.io/';
const never = { nodeSelector: { no: 'such' } };
const image = 'old.example.com/web:1';
const pod = (namespace, name, annotations = {}, labels = {}, volumes = []) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, annotations, labels } },
    spec: { ...never, containers: [{ name: 'c', image }], volumes },
  });
const VOLUMES = [
  { name: 'one', emptyDir: {} },
  { name: 'two', emptyDir: {} },
  { name: 'map', configMap: { name: 'm', optional: true } },
  { name: 'host', hostPath: { path: '/var/tmp/c43' } },
];
const settings = (name, label, data) =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data },
    metadata: { name, namespace: 'velero', labels: { 'velero.io/plugin-config': '', [label]: 'RestoreItemAction' } },
  });
const run1 = (onError) => ({ exec: { command: ['/x'], ...(onError ? { onError } : {}) } });
const named = { labelSelector: { matchLabels: { app: 'x' } } };
const HOOKS = {
  silent: [{ name: 'h', ...named, pre: [run1(), run1()], post: [run1()] }],
  two: [
    { name: 'h', ...named, pre: [run1('Continue')] },
    { name: 'i', includedNamespaces: ['c43-b'], excludedResources: ['secrets'], pre: [run1('Fail')] },
    { name: 'j', excludedNamespaces: ['c43-b'], pre: [run1('Fail')] },
  ],
  kinds: [
    { name: 'h', includedResources: ['deployments'], pre: [run1('Fail')] },
    { name: 'i', includedResources: ['po'], post: [run1('Fail')] },
  ],
};

export async function run({ apply, makeNamespaces, k, kjson, until, v, run, waitFor, docs, wipe, restore, backup }) {
  const out = {};
  await makeNamespaces(...namespaces);
  for (const name of namespaces)
    await until('service account', async () => (await k('-n', name, 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(
    docs(
      pod('c43', 'plain'),
      pod('c43', 'fail', { [`${PRE}command`]: '/x', [`${PRE}on-error`]: 'Fail' }),
      pod('c43', 'silent', { [`${PRE}command`]: '/x' }),
      pod('c43', 'odd', { [`${PRE}command`]: '/x', [`${PRE}on-error`]: 'Whatever' }),
      pod('c43', 'legacy', { 'hook.backup.velero.io/command': '/x', 'hook.backup.velero.io/on-error': 'Fail' }),
      pod('c43', 'post', { [`${POST}command`]: '/x', [`${POST}on-error`]: 'Fail' }),
      pod('c43-b', 'a', {}, { app: 'x' }),
      pod('c43-b', 'b', {}, { app: 'z' }),
      pod('c43-b', 'c', { [`${PRE}command`]: '/x' }, { app: 'x' }),
      pod('c43-v', 'named', { 'backup.velero.io/backup-volumes': 'one,map,none' }, {}, VOLUMES),
      pod('c43-v', 'not', { 'backup.velero.io/backup-volumes-excludes': 'two' }, {}, VOLUMES),
      `apiVersion: batch/v1
kind: CronJob
metadata: {name: cron, namespace: c43-v}
spec: {schedule: "0 0 1 1 *", jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "${image}"}]}}}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: claim, namespace: c43-v}
spec: {accessModes: [ReadWriteOnce], storageClassName: c43-old, resources: {requests: {storage: 1Gi}}}`,
    ),
  );
  const inside = async (name) => {
    const file = `c43-${process.pid}.tar.gz`;
    await v('backup', 'download', name, '-o', file, '--force');
    const paths = (await run('tar', ['tzf', file])).out.split('\n');
    await rm(file, { force: true });
    return paths.filter((path) => path.startsWith('resources/pods/namespaces/')).sort();
  };
  const told = async (name) => {
    const { status } = await waitFor('backups', name);
    return [status.phase, status.errors ?? 0, status.warnings ?? 0, status.hookStatus, await inside(name)];
  };
  await backup('c43-notes', '--include-namespaces', 'c43');
  out.notes = await told('c43-notes');
  for (const [name, resources] of Object.entries(HOOKS)) {
    const metadata = { name: `c43-${name}`, namespace: 'velero' };
    const spec = { includedNamespaces: ['c43-b'], hooks: { resources } };
    await apply(JSON.stringify({ apiVersion: 'velero.io/v1', kind: 'Backup', metadata, spec }));
    out[name] = await told(metadata.name);
  }
  const of = ['--include-namespaces', 'c43-v'];
  out.files = [await backup('c43-some', ...of), await backup('c43-all', ...of, '--default-volumes-to-fs-backup')];
  await wipe('c43', 'c43-v');
  out.pods = [await restore('c43-r', 'c43-notes'), await names(kjson, 'c43')];

  await apply(settings('c43-1', 'velero.io/change-image-name', { a: 'old.example.com,new.example.com' }));
  await apply(settings('c43-2', 'velero.io/change-image-name', { a: 'old.example.com,other.example.com' }));
  out.twice = [await restore('c43-twice', 'c43-some'), await names(kjson, 'c43-v')];
  await wipe('c43-v');
  await k('-n', 'velero', 'delete', 'cm', 'c43-2');
  await apply(settings('c43-3', 'velero.io/change-storage-class', { 'c43-old': 'c43-nowhere' }));
  out.noClass = await restore('c43-class', 'c43-some');
  const { items } = await kjson('-n', 'c43-v', 'get', 'pods');
  out.images = items.map(({ spec }) => spec.containers[0].image);
  await k('-n', 'velero', 'delete', 'cm', 'c43-1', 'c43-3');
  return out;
}

async function names(kjson, namespace) {
  const { items } = await kjson('-n', namespace, 'get', 'pods');
  return items.map(({ metadata }) => metadata.name).sort();
}
