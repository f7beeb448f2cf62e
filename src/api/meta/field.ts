import { z } from 'zod';
import { parseGoDuration, type JsonObject } from '../../base/index.ts';
import { isRecord } from './tidy.ts';

/**
 * The building blocks of every kind. Each takes the field's doc sentence, because every field must have one. What zod
 * cannot express is given in Kubernetes' own terms through `.meta()` and copied into the CRD unchanged.
 */

/**
 * Unknown fields are kept at run time, so that a newer writer's field survives us. The type hides them, so that a typo
 * in a field's name is still a compiler error.
 */
export function object<Shape extends z.ZodRawShape>(shape: Shape, doc?: string): z.ZodObject<Shape> {
  const loose = z.looseObject(shape) as unknown as z.ZodObject<Shape>;
  return doc === undefined ? loose : loose.describe(doc);
}

export const text = (doc: string): z.ZodString => z.string().describe(doc);
export const flag = (doc: string): z.ZodBoolean => z.boolean().describe(doc);
export const integer = (doc: string): z.ZodInt => z.int().describe(doc);
export const int64 = (doc: string): z.ZodInt => z.int().meta({ format: 'int64', description: doc });
export const base64 = (doc: string): z.ZodString => z.string().meta({ format: 'byte', description: doc });

export const listOf = <Item extends z.ZodType>(item: Item, doc: string): z.ZodArray<Item> =>
  z.array(item).describe(doc);
export const texts = (doc: string): z.ZodArray<z.ZodString> => listOf(z.string(), doc);
export const mapOf = <Value extends z.ZodType>(value: Value, doc: string): z.ZodRecord<z.ZodString, Value> =>
  z.record(z.string(), value).describe(doc);
export const textMap = (doc: string): z.ZodRecord<z.ZodString, z.ZodString> => mapOf(z.string(), doc);

export const oneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  doc: string,
): z.ZodEnum<z.core.util.ToEnum<Values[number]>> => z.enum(values).describe(doc);

/** Fields that upstream allows to be null. Null reads as absent everywhere, so the type has no null. */
export const nullable = <Field extends z.ZodType>(field: Field): z.ZodOptional<Field> =>
  field.meta({ nullable: true }).optional();

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const isTime = (value: string): boolean => RFC3339.test(value) && !Number.isNaN(Date.parse(value));
export const time = (doc: string): z.ZodString =>
  z.string().refine(isTime, 'a time such as 2026-01-31T12:00:00Z').meta({ format: 'date-time', description: doc });

const isDuration = (value: string): boolean => parseGoDuration(value) !== undefined;
export const duration = (doc: string): z.ZodString =>
  z.string().refine(isDuration, 'a duration such as 720h0m0s').describe(doc);

const INT_OR_STRING = 'x-kubernetes-int-or-string';
const QUANTITY =
  /^([+-])?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE]([+-])?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;
/** An amount such as `10Gi`; a bare number reads as its text. */
export const quantity = (doc: string): z.ZodType<string> =>
  z
    .union([z.string().regex(QUANTITY), z.int().transform(String)], 'an amount such as 10Gi')
    .meta({ [INT_OR_STRING]: true, description: doc });

/** A whole number that other writers send as a string. */
export const integerOrDigits = (doc: string): z.ZodType<number> =>
  z
    .union([z.int(), z.string().regex(/^\d+$/).transform(Number)], 'a whole number')
    .meta({ [INT_OR_STRING]: true, description: doc });

/** A percent that upstream writes as a string and others as a number. */
export const percentText = (doc: string): z.ZodType<string> =>
  z
    .union([z.string().regex(/^(\d+(\.\d+)?)?$/), z.int().transform(String)], 'a percent such as "43"')
    .meta({ [INT_OR_STRING]: true, description: doc });

/** An object, or parts of one, that only its consumer understands: kept byte for byte, never reported as unknown. */
export const PRESERVE = { 'x-kubernetes-preserve-unknown-fields': true } as const;
export const freeForm = (doc: string): z.ZodType<JsonObject> =>
  z.custom<JsonObject>(isRecord, 'an object').meta({ type: 'object', ...PRESERVE, description: doc });

/** Server-side apply replaces it as a whole, as upstream declares. */
export const ATOMIC = { 'x-kubernetes-map-type': 'atomic' } as const;
