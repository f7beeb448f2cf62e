import type { JsonObject } from '../../base/index.ts';
import { applyDefaults } from './default.ts';
import type { FieldError } from './field-error.ts';
import { validateListTypes } from './list-type.ts';
import { readNode } from './node.ts';
import { prune, type Pruned } from './prune.ts';
import { validateValue } from './validate.ts';

/** A compiled schema of a custom resource. Rules in x-kubernetes-validations (CEL) are not evaluated. */
export interface StructuralSchema {
  /** Without the fields the schema does not know; apiVersion, kind and metadata stay. */
  prune(object: JsonObject): Pruned;
  defaults(object: JsonObject): JsonObject;
  /** `old` is the stored object of an update: what did not change is not judged again. */
  validate(object: JsonObject, old?: JsonObject): FieldError[];
}

/** Compiles the `openAPIV3Schema` of one version of a CustomResourceDefinition. */
export function compileStructural(schema: JsonObject): StructuralSchema {
  const node = readNode(schema);
  return {
    prune: (object) => prune(node, object),
    defaults: (object) => applyDefaults(node, object),
    validate: (object, old) => [...validateValue(node, object, '', old), ...validateListTypes(node, object)],
  };
}
