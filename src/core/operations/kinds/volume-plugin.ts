import { VOLUME_PLUGIN_BACKUP, VOLUME_PLUGIN_RESTORE } from '../../../api/resource-types.ts';
import { pluginRenames } from '../../../api/velero/renames.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { objectAt, textAt, type JsonObject } from '../../../base/index.ts';
import { present, type OperationState } from '../../progress/index.ts';
import type { Adapted, Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import type { OperationFacts } from '../operation.ts';
import { trueCondition } from '../status-values.ts';
import { BRINGING_BACK, SAVING } from './volume-ways.ts';

/** Seed 002 does not restrict the phase: these are Headway's words, and those that plugins are likely to use. */
const STATES: Readonly<Record<string, OperationState>> = {
  new: 'pending',
  pending: 'pending',
  completed: 'completed',
  complete: 'completed',
  succeeded: 'completed',
  done: 'completed',
  failed: 'failed',
  error: 'failed',
  canceled: 'canceled',
  cancelled: 'canceled',
};

const shared = {
  noun: 'volume',
  group: 'velero',
  scope: 'velero',
  verbs: ['cancel', 'delete'],
  item: 'item',
  cancel: BY_ANNOTATION,
  renames: pluginRenames,
} as const;

export const volumePluginBackupAdapter: Adapter = {
  ...shared,
  ...SAVING,
  type: VOLUME_PLUGIN_BACKUP,
  adapt: (object, status) =>
    adaptVolume(object, status, { volume: textAt(object, 'spec', 'volume'), snapshot: textAt(status, 'snapshotID') }),
};

export const volumePluginRestoreAdapter: Adapter = {
  ...shared,
  ...BRINGING_BACK,
  type: VOLUME_PLUGIN_RESTORE,
  adapt: (object, status) =>
    adaptVolume(object, status, { volume: textAt(status, 'volumeID'), snapshot: textAt(object, 'spec', 'snapshotID') }),
};

function adaptVolume(
  object: KubeObject,
  status: JsonObject,
  facts: { [Key in keyof OperationFacts]: OperationFacts[Key] | undefined },
): Adapted {
  const state = stateOf(status);
  const message = textAt(status, 'message');
  return present({
    state,
    phase: textAt(status, 'phase') ?? 'New',
    measures: [],
    current: message,
    failure: state === 'failed' ? message : undefined,
    facts: present({
      ...facts,
      backup: textAt(object, 'spec', 'backup'),
      plugin: textAt(object, 'spec', 'plugin'),
    }),
  });
}

/** A plugin may report bytes before it has thought of a phase; a word that nobody knows is no end. */
function stateOf(status: JsonObject): OperationState {
  const phase = textAt(status, 'phase')?.toLowerCase();
  if (phase === undefined) {
    const hasBegun = Object.keys(objectAt(status, 'progress')).length > 0 || textAt(status, 'startTimestamp');
    return hasBegun ? 'running' : 'pending';
  }
  if (phase === 'failed' && trueCondition(status, 'Canceled') !== undefined) return 'canceled';
  return (Object.hasOwn(STATES, phase) ? STATES[phase] : undefined) ?? 'running';
}
