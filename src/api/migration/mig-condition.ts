import type { z } from 'zod';
import { flag, listOf, object, text, time } from '../meta/field.ts';

const MigCondition = object({
  type: text('Type of the condition, such as Ready, Running or Failed.'),
  status: text('True, or False.'),
  reason: text('One word for programs; for Running, the phase.').optional(),
  category: text('Critical, Error, Warn, Required or Advisory: what it blocks.'),
  message: text('A sentence for people; for Running, `Step: n/total`.').optional(),
  progress: text('How far the running phase is, such as `6/9 items backed up`.').optional(),
  lastTransitionTime: time('When the condition last changed.'),
  durable: flag('Whether the condition outlives the reconcile that set it.').optional(),
});
export type MigCondition = z.infer<typeof MigCondition>;

/** MTC's conditions: with a category that says what they block. */
export const migConditions = listOf(MigCondition, 'What people and programs should know about the object.').optional();

export const observedDigest = text('SHA-256 of the spec that was looked at.').optional();
