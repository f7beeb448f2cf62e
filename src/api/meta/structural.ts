import { z } from 'zod';

/** A Kubernetes structural schema: a type at every level, no `$ref`, no unions but int-or-string. */
export interface StructuralSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  description?: string;
  format?: string;
  enum?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  nullable?: boolean;
  properties?: Record<string, StructuralSchema>;
  required?: string[];
  additionalProperties?: StructuralSchema;
  items?: StructuralSchema;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

const COPIED = [
  'description',
  'format',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'nullable',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-map-type',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
] as const;
const WALKED = ['type', 'properties', 'required', 'additionalProperties', 'items'] as const;
const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean'] as const;

export function toStructural(schema: z.ZodType): StructuralSchema {
  // Describe what a client sends, not what a reader gets: transforms count with their input. What zod cannot represent
  // must supply its type, or convert() refuses it.
  const options = { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' } as const;
  return convert(z.toJSONSchema(schema, options), '');
}

function convert(json: JsonSchema, path: string): StructuralSchema {
  if (json['x-kubernetes-int-or-string'] === true) return convertIntOrString(json);
  const known: readonly string[] = [...COPIED, ...WALKED];
  const foreign = Object.keys(json).filter((key) => !known.includes(key));
  if (foreign.length > 0) throw new TypeError(`schema at ${path || '.'}: ${foreign.join(', ')} is not structural`);

  const result: StructuralSchema = { type: typeOf(json, path), ...copied(json) };
  if (json.properties !== undefined)
    result.properties = convertAll(json.properties as Record<string, JsonSchema>, path);
  if (json.required !== undefined && json.required.length > 0) result.required = [...json.required].sort();
  const values = json.additionalProperties;
  // `{}` is how zod says "keeps unknown keys"; a CRD says that by omission, or with preserve-unknown-fields.
  if (typeof values === 'object' && Object.keys(values).length > 0) {
    result.additionalProperties = convert(values, `${path}.*`);
  }
  if (json.items !== undefined) result.items = convert(json.items as JsonSchema, `${path}[]`);
  return result;
}

function typeOf(json: JsonSchema, path: string): NonNullable<StructuralSchema['type']> {
  const type = TYPES.find((known) => known === json.type);
  if (type === undefined) throw new TypeError(`schema at ${path || '.'}: a type is missing`);
  return type;
}

function copied(json: JsonSchema): StructuralSchema {
  const entries = COPIED.filter((key) => json[key] !== undefined && !isSafeBound(key, json[key]));
  return Object.fromEntries(entries.map((key) => [key, json[key]]));
}

// zod bounds every integer by what JavaScript can hold; the API server has no such limit.
function isSafeBound(key: string, value: unknown): boolean {
  return (key === 'minimum' || key === 'maximum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}

function convertIntOrString(json: JsonSchema): StructuralSchema {
  const branches = json.anyOf ?? [];
  const pattern = branches.find((branch) => branch.type === 'string')?.pattern;
  return {
    'x-kubernetes-int-or-string': true,
    ...(json.description === undefined ? {} : { description: json.description }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(json['nullable'] === true ? { nullable: true } : {}),
  };
}

function convertAll(properties: Record<string, JsonSchema>, path: string): Record<string, StructuralSchema> {
  const sorted = Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, json]) => [name, convert(json, path === '' ? name : `${path}.${name}`)]),
  );
}
