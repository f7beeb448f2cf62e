import type { Rename } from '../meta/rename.ts';

const EXAMPLE = 'seed 001, example';
const STRUCT = 'seed 001, struct without JSON names';

const phaseNames = (at: string): Rename[] => [
  { at, from: 'sizeUploaded', to: 'sizeUploadedB', source: EXAMPLE },
  { at, from: 'estimatedUploadSize', to: 'estimatedUploadSizeB', source: EXAMPLE },
  { at, from: 'ProgressPercent', to: 'progressPercent', source: STRUCT },
  { at, from: 'LastTransitionTime', to: 'lastTransitionTime', source: STRUCT },
  { at, from: 'SizeUploadedB', to: 'sizeUploadedB', source: STRUCT },
  { at, from: 'EstimatedTimeSeconds', to: 'estimatedTimeSeconds', source: STRUCT },
  { at, from: 'EstimatedUploadSizeB', to: 'estimatedUploadSizeB', source: STRUCT },
  { at, from: 'estinatedTimeSeconds', to: 'estimatedTimeSeconds', source: 'Kanister, misspelt in Go' },
];

export const actionRenames: readonly Rename[] = [
  ...phaseNames('status.actions[].phases[].progress'),
  ...phaseNames('status.actions[].deferPhase.progress'),
];
