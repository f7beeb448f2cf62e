import type { JsonObject } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { Subresource } from '../builtins/index.ts';

/** A served resource. `schema` is a custom resource's openAPIV3Schema; built-in kinds have none. */
export interface OpenApiResource extends ResourceType {
  verbs: readonly string[];
  subresources: readonly Subresource[];
  schema?: JsonObject;
}
