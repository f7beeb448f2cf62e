import { without, type JsonObject } from '../../base/index.ts';
import { OBJECT_META } from '../builtins/index.ts';
import { checkStruct, type Checked } from './go-check.ts';

export interface ReadMetadata extends Checked {
  /** Without the fields that no metadata has. */
  metadata: JsonObject;
}

/** The metadata of a custom resource, which no schema of a definition describes: it is the same for every kind. */
export function readMetadata(metadata: JsonObject): ReadMetadata {
  const checked = checkStruct(OBJECT_META, metadata);
  const strange = Object.keys(metadata).filter((key) => !OBJECT_META.byName.has(key));
  return {
    ...checked,
    unknown: checked.unknown.map((path) => `metadata.${path}`),
    metadata: strange.length === 0 ? metadata : without(metadata, ...strange),
  };
}
