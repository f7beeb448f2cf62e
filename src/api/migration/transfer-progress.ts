import { duration, flag, integer, object, text } from '../meta/field.ts';
import { ObjectReference, objectReferenceFields } from '../meta/references.ts';

const transferFields = {
  pvcRef: ObjectReference.describe('Claim whose data is moved.').optional(),
  lastObservedProgressPercent: text('How far it is, such as `45%`.').optional(),
  lastObservedTransferRate: text('Recent speed, such as `9.76MB/s`.').optional(),
  totalElapsedTime: duration('How long it has taken, all attempts together.').optional(),
};

/** The pod that moves one claim, and its progress. */
export const PodProgress = object({ ...objectReferenceFields, ...transferFields });

export const LiveMigrationProgress = object({
  vmName: text('Virtual machine whose disk is moved.').optional(),
  vmNamespace: text('Namespace of the virtual machine.').optional(),
  ...transferFields,
  message: text('What happened, for people.').optional(),
});

/** All attempts at moving one claim. */
export const RsyncOperation = object({
  pvcReference: ObjectReference.describe('Claim whose data is moved.').optional(),
  currentAttempt: integer('Attempt that runs, or ran last.').optional(),
  failedAttempts: integer('Attempts that failed; older form.').optional(),
  succeeded: flag('Whether the claim was moved.').optional(),
  failed: flag('Whether all attempts failed.').optional(),
});
