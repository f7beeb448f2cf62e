import { mapOf, object, text, textMap } from '../meta/field.ts';

/**
 * Kanister's own reference, with version, group and resource as separate fields. Its clients write an empty string for
 * what they leave out.
 */
export const KanisterReference = object({
  apiVersion: text('Version without the group, such as v1.').optional(),
  group: text('API group; empty for the core group.').optional(),
  resource: text('Plural of the kind, such as statefulsets.').optional(),
  kind: text('Kind of the object.').optional(),
  name: text('Name of the object.').optional(),
  namespace: text('Namespace of the object.').optional(),
});

const Artifact = object({
  keyValue: textMap('What a later action needs to find the data; a template until the action is complete.').optional(),
  kopiaSnapshot: text('A kopia snapshot as kando describes it, in JSON.').optional(),
});
export const artifacts = (doc: string): ReturnType<typeof mapOf<typeof Artifact>> => mapOf(Artifact, doc);
