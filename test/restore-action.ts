import { Restore } from '../src/api/index.ts';
import type { JsonObject } from '../src/base/index.ts';
import type { ActionConfig, ActionResult, RestoreAction } from '../src/core/restore/index.ts';

const NOTHING: ActionConfig = {
  storageClasses: {},
  images: {},
  hasStorageClass: () => true,
};

interface Circumstances {
  spec?: Partial<Restore['spec']>;
  config?: Partial<ActionConfig>;
  itemFromBackup?: JsonObject;
}

/** Runs a restore item action on one item. */
export function runAction(action: RestoreAction, item: JsonObject, circumstances: Circumstances = {}): ActionResult {
  const { spec = {}, config = {}, itemFromBackup = item } = circumstances;
  return action.execute({ item, itemFromBackup, restore: restoreOf(spec), config: { ...NOTHING, ...config } });
}

export function restoreOf(spec: Partial<Restore['spec']>): Restore {
  const metadata = { name: 'r', namespace: 'velero' };
  return Restore.parse({ apiVersion: 'velero.io/v1', kind: 'Restore', metadata, spec: { backupName: 'b', ...spec } })
    .value;
}
