/**
 * How items of particular types are changed as they are restored: one pure function each.
 * They must never ask the cluster or modify their arguments; what they need to know is passed to them.
 */
import type { RestoreAction } from './action.ts';
import { addPvcFromPodAction } from './add-pvc-from-pod.ts';
import { admissionWebhookConfigurationAction } from './admission-webhook-configuration.ts';
import { apiServiceAction } from './apiservice.ts';
import { changeImageNameAction } from './change-image-name.ts';
import { changeStorageClassAction } from './change-storage-class.ts';
import { crdPreserveFieldsAction } from './crd-preserve-fields.ts';
import { initRestoreHookAction } from './init-restore-hook.ts';
import { jobAction } from './job.ts';
import { podAction } from './pod.ts';
import { podVolumeRestoreAction } from './pod-volume-restore.ts';
import { pvcAction } from './pvc.ts';
import { clusterRoleBindingsAction, roleBindingsAction } from './role-bindings.ts';
import { secretAction } from './secret.ts';
import { serviceAccountAction } from './service-account.ts';
import { serviceAction } from './service.ts';

/** In the order they run, which is alphabetical, as in Velero. */
export const BUILT_IN_ACTIONS: readonly RestoreAction[] = [
  addPvcFromPodAction,
  admissionWebhookConfigurationAction,
  apiServiceAction,
  changeImageNameAction,
  changeStorageClassAction,
  clusterRoleBindingsAction,
  crdPreserveFieldsAction,
  initRestoreHookAction,
  jobAction,
  podAction,
  podVolumeRestoreAction,
  pvcAction,
  roleBindingsAction,
  secretAction,
  serviceAction,
  serviceAccountAction,
];

export { UNFILLED_ANNOTATION } from './pvc.ts';
export { pluginConfig } from './plugin-config.ts';
export type { ActionConfig, ActionInput, ActionResult, ArchiveKey, RestoreAction } from './action.ts';
