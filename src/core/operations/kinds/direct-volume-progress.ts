import { DIRECT_VOLUME_MIGRATION_PROGRESS } from '../../../api/resource-types.ts';
import { cleanText, textAt, type JsonObject } from '../../../base/index.ts';
import { present, readPercentText, type OperationState } from '../../progress/index.ts';
import type { Adapter } from '../adapter.ts';
import { ownerUid, parentRef } from '../parent-ref.ts';
import { timeAt } from '../status-values.ts';

/** The phase of the newest attempt's pod. Another attempt may follow one that failed. */
const STATES: Readonly<Record<string, OperationState>> = {
  Pending: 'pending',
  Succeeded: 'completed',
  Failed: 'failed',
};

/** It only shows how far the copy of one claim is: what is done with it is done with the migration that owns it. */
export const directVolumeProgressAdapter: Adapter = {
  type: DIRECT_VOLUME_MIGRATION_PROGRESS,
  noun: 'volume',
  group: 'migration',
  scope: 'migration',
  verbs: ['delete'],
  did: 'Copied',
  item: 'item',
  afterCancel: 'cancel the migration that it belongs to',
  deletion: { consequence: 'the record goes; the copy goes on' },
  parent: (object) => parentRef('DirectVolumeMigration', [ownerUid(object, 'DirectVolumeMigration')], undefined),
  partOf: ['DirectVolumeMigration'],
  adapt: (_object, status) => {
    const phase = textAt(status, 'phase') ?? 'New';
    const state =
      phase === 'New' ? 'pending' : ((Object.hasOwn(STATES, phase) ? STATES[phase] : undefined) ?? 'running');
    const message = textAt(status, 'logMessage');
    return present({
      state,
      phase,
      measures: [],
      percent:
        readPercentText(textAt(status, 'totalProgressPercentage')) ??
        readPercentText(textAt(status, 'lastObservedProgressPercent')),
      startedAt: state === 'pending' ? undefined : timeAt(status, 'creationTimestamp'),
      current: currentOf(status),
      failure: state === 'failed' && message !== undefined ? cleanText(message) : undefined,
      facts: present({ pod: textAt(status, 'podName') }),
    });
  },
};

/** rsync tells a speed but no bytes, so that it is words and not a rate. */
function currentOf(status: JsonObject): string | undefined {
  const parts = [textAt(status, 'podName'), textAt(status, 'lastObservedTransferRate')];
  const told = parts.filter((part) => part !== undefined).join(' · ');
  return told === '' ? undefined : cleanText(told);
}
