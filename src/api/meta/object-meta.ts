import { z } from 'zod';
import { flag, int64, listOf, object, text, textMap, texts, time } from './field.ts';

const OwnerReference = object({
  apiVersion: text('API version of the owner.'),
  kind: text('Kind of the owner.'),
  name: text('Name of the owner.'),
  uid: text('Identity of the owner; the reference is dead when another object has its name.'),
  controller: flag('Whether this owner manages the object.').optional(),
  blockOwnerDeletion: flag('Whether a foreground deletion of the owner waits for this object.').optional(),
});

/** The metadata that Headway reads; the server validates it, and the rest is kept unchanged. */
export const ObjectMeta = object({
  name: z.string().min(1).describe('Name, unique per kind and namespace.'),
  namespace: text('Namespace of the object.').optional(),
  uid: text('Identity over time and space.').optional(),
  resourceVersion: text('Version of the object for optimistic concurrency.').optional(),
  generation: int64('Counts changes; without a status subresource a status write counts too.').optional(),
  creationTimestamp: time('When the server created the object.').optional(),
  deletionTimestamp: time('When deletion was asked for.').optional(),
  labels: textMap('Labels.').optional(),
  annotations: textMap('Annotations.').optional(),
  finalizers: texts('What must be done before the object may go.').optional(),
  ownerReferences: listOf(OwnerReference, 'Objects this one goes with.').optional(),
});
export type ObjectMeta = z.infer<typeof ObjectMeta>;
