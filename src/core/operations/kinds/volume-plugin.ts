import { VOLUME_PLUGIN_BACKUP, VOLUME_PLUGIN_RESTORE } from '../../../api/resource-types.ts';
import { pluginRenames } from '../../../api/velero/renames.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { cleanText, objectAt, textAt, textsAt, type JsonObject } from '../../../base/index.ts';
import { present, type OperationState } from '../../progress/index.ts';
import type { Adapted, Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import type { OperationFacts } from '../operation.ts';
import { countAt, timeAt, trueCondition } from '../status-values.ts';
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
    adaptVolume(object, status, {
      volume: claimOf(object)?.name ?? textAt(object, 'spec', 'volume'),
      snapshot: textAt(status, 'snapshotID'),
    }),
};

export const volumePluginRestoreAdapter: Adapter = {
  ...shared,
  ...BRINGING_BACK,
  type: VOLUME_PLUGIN_RESTORE,
  adapt: (object, status) =>
    adaptVolume(object, status, {
      volume: claimOf(object)?.name ?? textAt(status, 'volumeID'),
      snapshot: textAt(object, 'spec', 'snapshotID'),
      backedUp: backedUpOf(object),
    }),
};

/** As the engine writes it: the backup may be of another cluster, or deleted since. */
function backedUpOf(object: KubeObject): OperationFacts['backedUp'] {
  const annotations = objectAt(object, 'metadata', 'annotations');
  const claim = textAt(annotations, 'headway.io/backed-up-claim');
  if (claim === undefined) return undefined;
  const bytes = countAt(annotations, 'headway.io/backed-up-bytes');
  return present({ claim: cleanText(claim), bytes, at: timeAt(annotations, 'headway.io/backed-up-at') });
}

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
      claim: claimOf(object)?.claim,
      attempt: attemptOf(status),
      reusedBytes: countAt(status, 'reusedBytes') || undefined,
      uploadedBytes: countAt(status, 'uploadedBytes'),
      files: countAt(status, 'fileCount'),
    }),
  });
}

/** A claim is what people know; the seed's objects name the volume only, so that Headway annotates them. */
function claimOf(object: KubeObject): { claim: string; name: string } | undefined {
  const claim = textsAt(object, 'metadata', 'annotations')['headway.io/claim'];
  const name = claim?.split('/').at(-1);
  return claim === undefined || !name ? undefined : { claim: cleanText(claim), name: cleanText(name) };
}

/** The first is the usual case, of which nobody need be told. */
function attemptOf(status: JsonObject): number | undefined {
  const attempt = countAt(status, 'attempt') ?? 1;
  return attempt > 1 ? attempt : undefined;
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
