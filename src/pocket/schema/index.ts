/**
 * What an object must look like: structural schemas of custom resources, Go types of built-in kinds, and their rules.
 * It must never store, and never change the objects it is given.
 */
export { formatFieldErrors, type FieldError, type FieldReason } from './field-error.ts';
export { compileStructural, type StructuralSchema } from './structural.ts';
export { readMetadata } from './custom-metadata.ts';
export type { Pruned } from './prune.ts';
export { builtinSchema, type BuiltinSchema, type GroupVersionKind } from './builtin.ts';
export { validateBuiltin, validateCustomMetadata } from './rules/validate.ts';
export { labelValue, qualifiedName } from './rules/names.ts';
export { matchingTemplate } from './rules/workload.ts';
