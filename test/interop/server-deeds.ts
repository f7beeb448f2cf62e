/** Objects that make a server do everything that it ever does in a cluster, besides the backups and restores of the guide. */

/** In the namespace that is backed up: roles with rights that the server does not have, and a pod with a hook. */
export const APPLICATION = `
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { theme: dark }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: cleaner, namespace: shop }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: cleaner, namespace: shop }
rules: [{ apiGroups: [''], resources: [services], verbs: [delete] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: cleaner, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: cleaner }
subjects: [{ kind: ServiceAccount, name: cleaner, namespace: shop }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: shop-cleaner }
rules: [{ apiGroups: [''], resources: [nodes], verbs: [delete] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: shop-cleaner }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: shop-cleaner }
subjects: [{ kind: ServiceAccount, name: cleaner, namespace: shop }]
`;

/** No kubelet runs here: the API server lets the hook through and then does not reach the node. */
export const POD_WITH_HOOK = `
apiVersion: v1
kind: Node
metadata: { name: nowhere }
status:
  addresses: [{ type: InternalIP, address: 127.0.0.1 }]
  daemonEndpoints: { kubeletEndpoint: { Port: 1 } }
---
apiVersion: v1
kind: Namespace
metadata: { name: hooks }
---
apiVersion: v1
kind: Pod
metadata:
  name: db
  namespace: hooks
  annotations: { pre.hook.backup.velero.io/command: 'true', pre.hook.backup.velero.io/on-error: Continue }
spec:
  nodeName: nowhere
  containers: [{ name: db, image: 'none/none:1' }]
`;
export const POD_STATUS = {
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'db', ready: true, image: 'x', imageID: 'x', restartCount: 0, state: { running: {} } }],
  },
};

export const REQUESTS = `
apiVersion: velero.io/v1
kind: Backup
metadata: { name: hooked, namespace: velero }
spec: { includedNamespaces: [hooks], storageLocation: default }
---
apiVersion: velero.io/v1
kind: Schedule
metadata: { name: overdue, namespace: velero }
spec: { schedule: '0 3 * * *', template: { includedNamespaces: [hooks], storageLocation: default } }
status: { phase: Enabled, lastBackup: '2026-01-01T00:00:00Z' }
---
apiVersion: velero.io/v1
kind: Schedule
metadata: { name: wrong, namespace: velero }
spec: { schedule: 'no cron line', template: {} }
---
apiVersion: velero.io/v1
kind: DownloadRequest
metadata: { name: new, namespace: velero }
spec: { target: { kind: BackupLog, name: first } }
---
apiVersion: velero.io/v1
kind: DownloadRequest
metadata: { name: old, namespace: velero }
spec: { target: { kind: BackupLog, name: first } }
status: { phase: Processed, expiration: '2026-01-01T00:00:00Z' }
---
apiVersion: velero.io/v1
kind: ServerStatusRequest
metadata: { name: new, namespace: velero }
spec: {}
---
apiVersion: velero.io/v1
kind: ServerStatusRequest
metadata: { name: old, namespace: velero }
spec: {}
status: { phase: Processed, processedTimestamp: '2026-01-01T00:00:00Z' }
---
apiVersion: velero.io/v1
kind: Restore
metadata: { name: again, namespace: velero }
spec: { backupName: first, existingResourcePolicy: update }
`;

/** A volume of a pod that runs, as far as the API server knows: its mover is created and waits for a node. */
export const POD_WITH_VOLUME = `
apiVersion: v1
kind: Namespace
metadata: { name: volumes }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: data }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  csi: { driver: none.example.com, volumeHandle: data }
  claimRef: { namespace: volumes, name: data }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: volumes }
spec:
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
  storageClassName: ''
  volumeName: data
---
apiVersion: v1
kind: Pod
metadata: { name: db, namespace: volumes }
spec:
  nodeName: nowhere
  containers: [{ name: db, image: 'none/none:1', volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
export const BACKUP_OF_VOLUME = `
apiVersion: velero.io/v1
kind: Backup
metadata: { name: moved, namespace: velero }
spec: { includedNamespaces: [volumes], storageLocation: default, defaultVolumesToFsBackup: true }
`;
