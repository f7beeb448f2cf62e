export const title =
  'claims and volumes: those that are kept, those that are provisioned anew, another class, other images';
export const namespaces = ['c23', 'c23-new'];

const volume = (name, policy) => `apiVersion: v1
kind: PersistentVolume
metadata: {name: ${name}, labels: {c23: "yes"}}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], persistentVolumeReclaimPolicy: ${policy}, storageClassName: c23-manual, hostPath: {path: /var/tmp/${name}}}`;
const claim = (name, to, spec = '') => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: ${name}, namespace: c23}
spec: {accessModes: [ReadWriteOnce], storageClassName: c23-manual, volumeName: ${to}, resources: {requests: {storage: 1Gi}}${spec}}`;
const pod = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: c23}
spec: {replicas: 0, selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}}, spec: {containers: [{name: c, image: "old.example.com/web:1"}, {name: d, image: "other/none:1"}], volumes: [{name: v, persistentVolumeClaim: {claimName: kept}}]}}}`;
const settings = (name, label, data) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'velero', labels: { 'velero.io/plugin-config': '', [label]: 'RestoreItemAction' } },
    data,
  });

export async function run({ apply, makeNamespaces, backup, restore, dump, wipe, k, until, docs }) {
  // Which provisioner a claim waits for is written by a controller of the cluster.
  const kept = ([name]) => !name.endsWith('storage-provisioner');
  const spec = (objects) =>
    Object.entries(objects).map(([name, { spec, metadata }]) => {
      return [name, spec, metadata.labels, Object.entries(metadata.annotations ?? {}).filter(kept)];
    });
  const state = async (namespace) => [spec(await dump(namespace, 'pvc')), spec(await dump(undefined, 'pv'))];
  const removed = async () => {
    await wipe(...namespaces);
    await k('delete', 'pv', '-l', 'c23=yes', '--ignore-not-found', '--wait=true');
  };
  await makeNamespaces('c23');
  await apply(
    docs(
      volume('c23-kept', 'Retain'),
      volume('c23-gone', 'Delete'),
      claim('kept', 'c23-kept'),
      claim('gone', 'c23-gone'),
      pod,
    ),
  );
  await until(
    'bound',
    async () => (await k('-n', 'c23', 'get', 'pvc', '-o', 'jsonpath={.items[*].status.phase}')) === 'Bound Bound',
  );
  const b = await backup('c23-b', '--include-namespaces', 'c23');
  await removed();
  const r1 = await restore('c23-r1', 'c23-b');
  const a1 = await state('c23');
  await removed();
  await apply(`apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: c23-other}
provisioner: example.com/none`);
  await apply(settings('c23-class', 'velero.io/change-storage-class', { 'c23-manual': 'c23-other' }));
  await apply(settings('c23-image', 'velero.io/change-image-name', { a: 'old.example.com/web,new.example.com/web' }));
  const r2 = await restore('c23-r2', 'c23-b', '--namespace-mappings', 'c23:c23-new');
  const a2 = [await state('c23-new'), await dump('c23-new', 'deployments')];
  await k('-n', 'velero', 'delete', 'cm', 'c23-class', 'c23-image');
  await k('delete', 'storageclass', 'c23-other');
  await removed();
  return { b, r1, a1, r2, a2 };
}
