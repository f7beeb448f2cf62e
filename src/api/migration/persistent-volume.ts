import type { z } from 'zod';
import { flag, object, quantity, text, texts } from '../meta/field.ts';

/** A volume of a plan: what was found, what can be done with it, and what the user chose. */
export const PlanVolume = object({
  name: text('Name of the PersistentVolume.').optional(),
  capacity: quantity('Size of the volume.').optional(),
  storageClass: text('Storage class of the volume.').optional(),
  supported: object(
    {
      actions: texts('What can be done: copy, move, skip.'),
      copyMethods: texts('How it can be copied: filesystem, snapshot, block.'),
    },
    'What is possible.',
  ),
  selection: object(
    {
      action: text('copy, move or skip.').optional(),
      storageClass: text('Storage class at the destination.').optional(),
      accessMode: text('Access mode at the destination, if another one is wanted.').optional(),
      copyMethod: text('filesystem, snapshot or block.').optional(),
      verify: flag('Whether the copied files are compared.').optional(),
    },
    'What was chosen.',
  ),
  pvc: object(
    {
      namespace: text('Namespace of the claim.').optional(),
      name: text('Name of the claim, or `source:destination`.').optional(),
      accessModes: texts('Access modes of the claim.').optional(),
      volumeMode: text('Filesystem or Block.').optional(),
      hasReference: flag('Whether a pod uses the claim.').optional(),
      ownerType: text('Kind of workload that uses the claim.').optional(),
    },
    'The claim that is bound to it.',
  ).optional(),
  capacityConfirmed: flag('Whether the proposed capacity was accepted.').optional(),
  proposedCapacity: quantity('Size that the data really needs at the destination.').optional(),
});
export type PlanVolume = z.infer<typeof PlanVolume>;
