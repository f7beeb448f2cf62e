import type { StructuralSchema } from './structural.ts';

export interface Tidied {
  value: unknown;
  /** Paths of fields the schema does not know. */
  unknown: string[];
}

/**
 * A copy of the value without its null fields, since Go reads null as absent. Unknown fields, which an API server would
 * prune, are kept and named.
 */
export function tidy(schema: StructuralSchema, value: unknown): Tidied {
  const unknown: string[] = [];
  return { value: walk(schema, value, '', unknown), unknown };
}

function walk(schema: StructuralSchema, value: unknown, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? value.map((item, i) => walk(items, item, `${path}[${String(i)}]`, unknown)) : value;
  }
  if (!isRecord(value)) return value;
  // Entries instead of assignments, so that a key such as __proto__ is plain data.
  const kept = Object.entries(value).flatMap(([key, field]): [string, unknown][] => {
    const at = path === '' ? key : `${path}.${key}`;
    const known = schemaOf(schema, key);
    if (known !== undefined) return field === null ? [] : [[key, walk(known, field, at, unknown)]];
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return [[key, field]];
    if (field === null) return [];
    // Metadata is declared without its fields; the server knows them.
    if (schema.properties !== undefined) unknown.push(at);
    return [[key, field]];
  });
  return Object.fromEntries(kept);
}

function schemaOf(
  { properties = {}, additionalProperties }: StructuralSchema,
  key: string,
): StructuralSchema | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
