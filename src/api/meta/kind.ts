import type { z } from 'zod';
import { AppError } from '../../base/index.ts';
import type { Column } from './columns.ts';
import { object } from './field.ts';
import { describeIssue } from './issue.ts';
import { ObjectMeta } from './object-meta.ts';
import { applyRenames, declareRenames, type Rename } from './rename.ts';
import { apiVersionOf, type ResourceType } from './resource-type.ts';
import { toStructural, type StructuralSchema } from './structural.ts';
import { isRecord, tidy } from './tidy.ts';
import { parseTolerant } from './tolerate.ts';

/** How a kind is declared; everything else is derived from it. */
export interface KindDefinition<Fields extends z.ZodRawShape> {
  group: string;
  version: string;
  kind: string;
  plural: string;
  shortNames?: readonly string[];
  doc: string;
  /** The fields beside apiVersion, kind and metadata: mostly `spec` and `status`. */
  fields: Fields;
  columns: readonly Column[];
  renames?: readonly Rename[];
}

export type KindObject<Fields extends z.ZodRawShape> = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
} & z.output<z.ZodObject<Fields>>;

export interface Parsed<T> {
  value: T;
  /** Paths of fields that the kind does not know. They are kept in `value`. */
  unknown: string[];
  /** Problems in `status`, one sentence each; the values were removed. */
  dropped: string[];
}

export interface Kind<T> extends ResourceType {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly doc: string;
  readonly columns: readonly Column[];
  readonly renames: readonly Rename[];
  /** The OpenAPI schema of the whole object, for the CRD and for the reference. */
  structural(): StructuralSchema;
  /**
   * Reads an object of this kind. Absent `spec` and `status` become `{}`. Throws `invalid` with every problem outside
   * of status at once, each naming its field.
   */
  parse(input: unknown): Parsed<T>;
}
export type AnyKind = Kind<unknown>;
export type ObjectOf<K> = K extends Kind<infer T> ? T : never;

export function defineKind<Fields extends z.ZodRawShape>(definition: KindDefinition<Fields>): Kind<KindObject<Fields>> {
  const { group, version, kind, plural, doc, fields, columns, renames = [] } = definition;
  const schema = object({ metadata: ObjectMeta, ...fields });
  let structural: StructuralSchema | undefined;

  const kindOf: Kind<KindObject<Fields>> = {
    group,
    version,
    kind,
    plural,
    namespaced: true,
    singular: kind.toLowerCase(),
    shortNames: definition.shortNames ?? [],
    doc,
    columns,
    renames,
    structural: () => (structural ??= structuralOf(definition)),
    parse: (input) => {
      const { value, unknown } = tidy(kindOf.structural(), checkType(kindOf, input));
      const filled = { ...emptyObjects(fields), ...(value as Record<string, unknown>) };
      applyRenames(filled, renames);
      const { result, dropped } = parseTolerant(schema, filled);
      if (!result.success) throw invalid(kindOf, filled, result.error);
      return { value: result.data as unknown as KindObject<Fields>, unknown, dropped };
    },
  };
  return kindOf;
}

function structuralOf({ doc, fields, renames = [] }: KindDefinition<z.ZodRawShape>): StructuralSchema {
  const schema = toStructural(object(fields, doc));
  declareRenames(schema, renames);
  const properties = {
    apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
    kind: { type: 'string', description: 'Kind of this object.' },
    // The server allows no more detail here: it validates metadata itself.
    metadata: { type: 'object' },
    ...schema.properties,
  } as const;
  // Upstream requires neither spec nor status.
  return { type: 'object', description: doc, properties };
}

function checkType(kind: AnyKind, input: unknown): Record<string, unknown> {
  const apiVersion = apiVersionOf(kind);
  if (!isRecord(input)) throw new AppError('invalid', `read ${kind.kind}: expected an object, got ${typeof input}`);
  // Items of a list may lack both.
  const found: Record<string, unknown> = { apiVersion, kind: kind.kind, ...input };
  if (found['apiVersion'] !== apiVersion || found['kind'] !== kind.kind) {
    const got = `${String(found['apiVersion'])} ${String(found['kind'])}`;
    throw new AppError('invalid', `read ${kind.kind}: expected ${apiVersion} ${kind.kind}, got ${got}`);
  }
  return found;
}

function emptyObjects(fields: z.ZodRawShape): Record<string, unknown> {
  return Object.fromEntries(['spec', 'status'].filter((name) => name in fields).map((name) => [name, {}]));
}

/** Enough to fix an object; a one-megabyte object can have a problem in each of its hundred thousand values. */
const MAX_PROBLEMS = 50;

function invalid(kind: AnyKind, value: Record<string, unknown>, error: z.ZodError): AppError {
  const problems = error.issues.slice(0, MAX_PROBLEMS).map((issue) => describeIssue(issue, value));
  const others = error.issues.length - problems.length;
  if (others > 0) problems.push(`and ${String(others)} more problems`);
  const { metadata } = value;
  const name = isRecord(metadata) && typeof metadata['name'] === 'string' ? ` ${metadata['name']}` : '';
  return new AppError('invalid', `read ${kind.kind}${name}: ${problems.join('; ')}`, { details: { problems } });
}
