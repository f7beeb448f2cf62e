import type { z } from 'zod';
import { int64, listOf, object, oneOf, text, time } from './field.ts';

const Condition = object({
  type: text('Type of the condition, such as Stalled, Canceled or VolumeDataMissing.'),
  status: oneOf(['True', 'False', 'Unknown'], 'Whether it holds.'),
  reason: text('One word for programs.').optional(),
  message: text('A sentence for people: what happened, on what, and what helps.').optional(),
  lastTransitionTime: time('When the status last changed.').optional(),
  observedGeneration: int64('Generation of the object that was looked at.').optional(),
});
export type Condition = z.infer<typeof Condition>;

/** Upstream's velero.io and cr.kanister.io kinds have no conditions; all of ours with a status do. */
export const conditions = listOf(
  Condition,
  'What people and programs should know about the operation, one entry per type.',
)
  .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] })
  .optional();
