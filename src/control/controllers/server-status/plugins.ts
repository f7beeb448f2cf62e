export interface PluginInfo {
  kind: string;
  name: string;
}

const named = (kind: string, ...names: string[]): PluginInfo[] => names.map((name) => ({ kind, name }));

/** Built-in features, under the names Velero gives the same plugins, as `velero plugin get` lists them. */
export const BUILT_IN_PLUGINS: readonly PluginInfo[] = [
  ...named('BackupItemAction', 'velero.io/pod', 'velero.io/pv', 'velero.io/service-account'),
  ...named('ObjectStore', 'headway.io/fs', 'velero.io/aws'),
  ...named(
    'RestoreItemAction',
    'velero.io/add-pvc-from-pod',
    'velero.io/admission-webhook-configuration',
    'velero.io/apiservice',
    'velero.io/change-image-name',
    'velero.io/change-storage-class',
    'velero.io/cluster-role-bindings',
    'velero.io/crd-preserve-fields',
    'velero.io/init-restore-hook',
    'velero.io/job',
    'velero.io/pod',
    'velero.io/pod-volume-restore',
    'velero.io/pvc',
    'velero.io/role-bindings',
    'velero.io/secret',
    'velero.io/service',
    'velero.io/service-account',
  ),
];
