/** The phases that Headway writes. A plugin that writes its own object may use any word. */
export const VOLUME_PHASES = ['New', 'InProgress', 'Completed', 'Failed', 'Canceled'] as const;
export type VolumePhase = (typeof VOLUME_PHASES)[number];

/** The life of a VolumePluginBackup or -Restore. A volume can fail or be canceled before anything has begun. */
const TRANSITIONS: Readonly<Record<VolumePhase, readonly VolumePhase[]>> = {
  New: ['InProgress', 'Failed', 'Canceled'],
  InProgress: ['Completed', 'Failed', 'Canceled'],
  Completed: [],
  Failed: [],
  Canceled: [],
};

/** Keeping the same phase, as a new attempt does, is always allowed. */
export function mayVolumeBecome(from: VolumePhase, to: VolumePhase): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

/** Other words for the end of the work, in small letters. Anything else means that it goes on. */
const SYNONYMS: Readonly<Record<string, VolumePhase>> = {
  new: 'New',
  pending: 'New',
  completed: 'Completed',
  complete: 'Completed',
  succeeded: 'Completed',
  success: 'Completed',
  done: 'Completed',
  ready: 'Completed',
  failed: 'Failed',
  failure: 'Failed',
  error: 'Failed',
  canceled: 'Canceled',
  cancelled: 'Canceled',
  aborted: 'Canceled',
};

/** What a plugin's own word means. Undefined while it has not said anything. */
export function readVolumePhase(word: string | undefined): VolumePhase | undefined {
  const text = word?.trim().toLowerCase() ?? '';
  if (text === '') return undefined;
  return Object.hasOwn(SYNONYMS, text) ? SYNONYMS[text] : 'InProgress';
}

export function isVolumeEnded(phase: VolumePhase | undefined): phase is 'Completed' | 'Failed' | 'Canceled' {
  return phase !== undefined && TRANSITIONS[phase].length === 0;
}

/**
 * The phase on Velero's own objects of a volume. A node agent of Velero, which may still run while its server rests,
 * takes every New one for work of its own.
 */
export function veleroPhase(phase: string | undefined): Exclude<VolumePhase, 'New'> {
  const read = readVolumePhase(phase);
  return read === undefined || read === 'New' ? 'InProgress' : read;
}
