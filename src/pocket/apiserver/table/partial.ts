import type { JsonObject } from '../../../base/index.ts';
import type { Stored } from '../store/index.ts';

/** Only the metadata, for clients that want nothing else. */
export function partialObject(stored: Stored, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: stored.object.metadata };
}
