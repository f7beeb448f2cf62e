export const title =
  'what is labelled to be left out, by kind and namespace; claims whose volumes nobody copies, with and without a policy';
export const namespaces = ['c31', 'c31-x'];

const LEFT_OUT = 'velero.io/exclude-from-backup: "true"';
const volume = (name) => `apiVersion: v1
kind: PersistentVolume
metadata: {name: ${name}, labels: {c31: "yes"}}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: Retain, storageClassName: c31-none, hostPath: {path: /var/tmp/${name}}}`;
const claim = (name, to, labels = '') => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}, namespace: c31, labels: {${labels}}}
spec: {accessModes: [ReadWriteOnce], storageClassName: c31-none, volumeName: ${to}, resources: {requests: {storage: 1Gi}}}`;
const pod = (name, to) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: c31}
spec: {nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1"}], volumes: [{name: data, persistentVolumeClaim: {claimName: ${to}}}]}`;
const labelled = (name, labels) => `apiVersion: v1
kind: Secret
metadata: {name: ${name}, namespace: c31, labels: {${labels}}}`;
const policy = JSON.stringify({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c31-skip', namespace: 'velero' } },
  data: { p: 'version: v1\nvolumePolicies:\n- {conditions: {storageClass: [c31-none]}, action: {type: skip}}\n' },
});

export async function run({ apply, makeNamespaces, k, kjson, until, backup, restore, names, wipe, docs, configMap }) {
  const out = {};
  const phases = async () => await k('-n', 'c31', 'get', 'pvc', '-o', 'jsonpath={.items[*].status.phase}');
  const removed = async () => {
    await wipe('c31');
    await k('delete', 'pv', '-l', 'c31=yes', '--wait=true');
  };
  const left = async () => [await names('c31', 'pvc'), await k('get', 'pv', '-l', 'c31=yes', '-o', 'name')];
  await makeNamespaces('c31');
  await apply(`apiVersion: v1\nkind: Namespace\nmetadata: {name: c31-x, labels: {${LEFT_OUT}}}`);
  await until('service account', async () => (await k('-n', 'c31', 'get', 'sa', 'default', '-o', 'name')) !== '');
  const volumes = ['c31-a', 'c31-b', 'c31-c'].map(volume);
  const claims = [claim('a', 'c31-a'), claim('b', 'c31-b', LEFT_OUT), claim('c', 'c31-c')];
  await apply(docs(...volumes, ...claims, configMap('c31-x', 'm'), policy));
  await until('bound', async () => (await phases()) === 'Bound Bound Bound');
  const within = ['--include-namespaces', 'c31'];
  // Their data is in none of these; Velero counts no warning for that, Headway has a condition.
  out.claims = await backup('c31-claims', ...within);
  await apply(docs(pod('p', 'a'), pod('q', 'b'), pod('r', 'c')));
  await apply(docs(labelled('left-out', LEFT_OUT), labelled('kept', 'velero.io/exclude-from-backup: "false"')));
  out.pods = await backup('c31-pods', ...within);
  out.both = await backup('c31-both', '--include-namespaces', 'c31,c31-x');
  out.excluded = (await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c31-both')).spec.excludedNamespaces;
  out.only = await backup('c31-only', '--include-namespaces', 'c31-x');
  out.noSnapshots = await backup('c31-no-snapshots', ...within, '--snapshot-volumes=false');
  out.noClaims = await backup('c31-no-claims', ...within, '--exclude-resources', 'persistentvolumeclaims');
  out.noVolumes = await backup('c31-no-volumes', ...within, '--exclude-resources', 'persistentvolumes');
  out.skipped = await backup('c31-skipped', ...within, '--resource-policies-configmap', 'c31-skip');
  await removed();
  out.restored = [await restore('c31-r1', 'c31-claims'), await left()];
  await removed();
  out.noPvs = [await restore('c31-r2', 'c31-claims', '--restore-volumes=false'), await left()];
  out.volumeName = (await kjson('-n', 'c31', 'get', 'pvc', 'a')).spec.volumeName;
  await removed();
  await k('-n', 'velero', 'delete', 'cm', 'c31-skip');
  return out;
}
