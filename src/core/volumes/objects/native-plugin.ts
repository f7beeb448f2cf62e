import type { VolumePluginBackup } from '../../../api/index.ts';
import { formatGoDuration, parseGoDuration } from '../../../base/index.ts';
import { nameForSnapshot } from './names.ts';
import { isVolumeEnded, readVolumePhase, type VolumePhase } from './phases.ts';

/** A plugin that has not said anything after so long is shown as stalled. */
export const SILENT_STALL_MS = 60_000;
/** And after so long nobody waits for it any more. */
export const SILENT_FAILURE_MS = 600_000;
/** Velero's, for an operation whose Backup or Restore does not say. */
const OPERATION_TIMEOUT_MS = 4 * 3_600_000;

/** An object of which a plugin writes the status: VolumePluginBackup or VolumePluginRestore. */
interface Asked {
  spec: { plugin: string };
  status?: { phase?: string | undefined; message?: string | undefined };
}

export type NativeVerdict =
  /** It was asked and has not answered. */
  | { kind: 'waiting' }
  | { kind: 'stalled'; cause: string; hint: string }
  | { kind: 'working'; phase: 'New' | 'InProgress' }
  | { kind: 'ended'; phase: Extract<VolumePhase, 'Completed' | 'Failed' | 'Canceled'>; message?: string }
  /** Headway gives up; it never writes the status of such an object, so this is told elsewhere. */
  | { kind: 'silent'; message: string };

/**
 * What to make of a plugin that writes its own status, so long after it was asked. `timeout` is the itemOperationTimeout
 * of the Backup or Restore: one that has died in the middle would hold it, and a frozen pod, for ever.
 */
export function judgeNative(object: Asked, sinceAskedMs: number, timeout: string | undefined): NativeVerdict {
  const phase = readVolumePhase(object.status?.phase);
  const { plugin } = object.spec;
  if (isVolumeEnded(phase)) {
    const message = object.status?.message;
    return { kind: 'ended', phase, ...(message === undefined ? {} : { message }) };
  }
  if (phase === undefined && sinceAskedMs >= SILENT_FAILURE_MS) {
    const minutes = SILENT_FAILURE_MS / 60_000;
    return { kind: 'silent', message: `plugin ${plugin} wrote no status within ${minutes} minutes; does it run?` };
  }
  const limitMs = limitOf(timeout);
  if (sinceAskedMs >= limitMs) {
    return { kind: 'silent', message: `plugin ${plugin} has not ended within ${formatGoDuration(limitMs)}` };
  }
  if (phase !== undefined) return { kind: 'working', phase };
  if (sinceAskedMs < SILENT_STALL_MS) return { kind: 'waiting' };
  return {
    kind: 'stalled',
    cause: `plugin ${plugin} has not written a status yet`,
    hint: `check that the plugin runs and may write VolumePluginBackups and VolumePluginRestores`,
  };
}

function limitOf(timeout: string | undefined): number {
  const ms = parseGoDuration(timeout ?? '') ?? 0;
  return ms > 0 ? ms : OPERATION_TIMEOUT_MS;
}

/**
 * The object that a plugin made by itself instead of answering in ours: for the same volume of the same backup, by the
 * same plugin, named after its snapshot. One that was there before we asked is another's work.
 */
export function answerInstead(
  request: VolumePluginBackup,
  others: readonly VolumePluginBackup[],
): VolumePluginBackup | undefined {
  const asked = Date.parse(request.metadata.creationTimestamp ?? '');
  return others.find(({ metadata, spec, status }) => {
    const isSame = (['backup', 'volume', 'plugin'] as const).every((field) => spec[field] === request.spec[field]);
    if (!isSame || metadata.name === request.metadata.name) return false;
    const isLater = Date.parse(metadata.creationTimestamp ?? '') >= asked;
    const { snapshotID } = status ?? {};
    return isLater && snapshotID !== undefined && metadata.name === nameForSnapshot(snapshotID);
  });
}
