import { ATOMIC, flag, object, text } from './field.ts';

/** The fields of the core API's ObjectReference, for kinds that carry them inline. */
export const objectReferenceFields = {
  apiVersion: text('API version of the object.').optional(),
  fieldPath: text('Part of the object that is meant; unused.').optional(),
  kind: text('Kind of the object.').optional(),
  name: text('Name of the object.').optional(),
  namespace: text('Namespace of the object.').optional(),
  resourceVersion: text('Version of the object; unused.').optional(),
  uid: text('Identity of the object.').optional(),
};
export const ObjectReference = object(objectReferenceFields).meta(ATOMIC);

export const TypedLocalReference = object({
  apiGroup: text('API group of the object; empty for the core group.').optional(),
  kind: text('Kind of the object.'),
  name: text('Name of the object.'),
}).meta(ATOMIC);

export const SecretKeySelector = object({
  key: text('Key of the Secret.'),
  name: text('Name of the Secret.').optional(),
  optional: flag('Whether the Secret or its key may be missing.').optional(),
}).meta(ATOMIC);
