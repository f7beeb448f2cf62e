/**
 * Go's text/template with the functions of sprig, as Blueprints use it: read, checked and carried out by the rules of
 * the original, but within bounds of time, size and depth.
 * It must never read a clock, randomness or the environment, and never change what it is given.
 */
export { checkTemplate, lineOf, renderTemplate, type Functions, type RenderOptions } from './render.ts';
export { TemplateProblem } from './problem.ts';
export { Budget, type BudgetOptions } from './run/budget.ts';
export type { MissingKey } from './run/fields.ts';
export type { Value, Type, Field } from './value/value.ts';
export { Int, List, Mapping, Pointer } from './value/value.ts';
export { bytes, fromJson, fromJsonAsFloats, fromObject, list, mapFrom, struct, texts, zeroOf } from './value/make.ts';
export { BOOL, BYTES, DICT, INT, INT64, STRING, TEXTS, TEXT_MAP, listOf, mapOf, pointerTo } from './value/type.ts';
export { timeOfKind } from './time/time-type.ts';
export { decodeBase64 } from './sprig/encodings.ts';
export { fromBytes, plainText, toBytes } from './value/go-text.ts';
export { isVersion } from './sprig/constraints.ts';
