import { expect, it } from 'vitest';
import { isVolumeEnded, mayVolumeBecome, readVolumePhase, VOLUME_PHASES, type VolumePhase } from './phases.ts';

it('an end is an end, and everything that has not ended can be stopped', () => {
  for (const phase of VOLUME_PHASES) {
    const next = VOLUME_PHASES.filter((to) => to !== phase && mayVolumeBecome(phase, to));
    expect(next).toEqual(isVolumeEnded(phase) ? [] : expect.arrayContaining(['Failed', 'Canceled']));
    expect(mayVolumeBecome(phase, phase)).toBe(true);
  }
  expect(mayVolumeBecome('New', 'Completed')).toBe(false);
  expect(isVolumeEnded(undefined)).toBe(false);
});

it.each<[string | undefined, VolumePhase | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['New', 'New'],
  ['Completed', 'Completed'],
  ['SUCCEEDED', 'Completed'],
  ['Error', 'Failed'],
  ['cancelled', 'Canceled'],
  ['uploading to the moon', 'InProgress'],
  ['constructor', 'InProgress'],
])("a plugin's phase %s reads as %s", (word, phase) => {
  expect(readVolumePhase(word)).toBe(phase);
});
