import type { StructuralSchema } from './structural.ts';
import { isRecord } from './tidy.ts';

/** An alternative field name that others write and Headway accepts: read as upstream's name, never written. */
export interface Rename {
  /** Where the object with the field is, such as `status.actions[].phases[].progress`. */
  at: string;
  from: string;
  to: string;
  /** The seed that uses the name, or the program that writes it. */
  source: string;
}

/** Modifies the value, which must be the caller's own copy. A value under upstream's name wins. */
export function applyRenames(value: unknown, renames: readonly Rename[]): void {
  for (const rename of renames) {
    for (const target of targets(value, rename.at)) {
      const { [rename.from]: renamed } = target;
      if (renamed === undefined) continue;
      // Deleted, so that the value matches its type, which does not have this name.
      Reflect.deleteProperty(target, rename.from);
      target[rename.to] ??= renamed;
    }
  }
}

/** The same value under upstream's names. Only what somebody wrote under another name is copied, which is rare. */
export function withUpstreamNames<T extends object>(value: T, renames: readonly Rename[]): T {
  return renames.reduce<unknown>((read, rename) => renamedAt(read, rename.at.split('.'), rename), value) as T;
}

function renamedAt(value: unknown, path: readonly string[], rename: Rename): unknown {
  if (!isRecord(value)) return value;
  const [step, ...rest] = path;
  if (step === undefined) return renamedIn(value, rename);
  const key = step.replace('[]', '');
  const field = value[key];
  const read = step.endsWith('[]') ? renamedInEach(field, rest, rename) : renamedAt(field, rest, rename);
  return read === field ? value : { ...value, [key]: read };
}

function renamedIn(value: Record<string, unknown>, { from, to }: Rename): Record<string, unknown> {
  if (!Object.hasOwn(value, from)) return value;
  const { [from]: renamed, ...others } = value;
  return { ...others, [to]: others[to] ?? renamed };
}

function renamedInEach(list: unknown, path: readonly string[], rename: Rename): unknown {
  if (!Array.isArray(list)) return list;
  const read = list.map((item: unknown) => renamedAt(item, path, rename));
  return read.every((item, at) => item === list[at]) ? list : read;
}

function targets(value: unknown, path: string): Record<string, unknown>[] {
  let found = [value];
  for (const step of path.split('.')) {
    const key = step.replace('[]', '');
    const fields = found.map((item) => (isRecord(item) ? item[key] : undefined));
    found = step.endsWith('[]')
      ? fields.flatMap((field) => (Array.isArray(field) ? (field as unknown[]) : []))
      : fields;
  }
  return found.filter(isRecord);
}

/** Declares the other names in a kind's own schema, so that the API server does not prune them. */
export function declareRenames(schema: StructuralSchema, renames: readonly Rename[]): void {
  for (const { at, from, to } of renames) {
    const properties = schemaAt(schema, at).properties ?? {};
    const target = properties[to];
    if (target === undefined) throw new TypeError(`rename of ${at}.${from}: ${to} is not a field there`);
    properties[from] = { ...target, description: `Another name of ${to}; read, never written.` };
  }
}

function schemaAt(schema: StructuralSchema, path: string): StructuralSchema {
  let found: StructuralSchema | undefined = schema;
  for (const step of path.split('.')) {
    const field: StructuralSchema | undefined = found?.properties?.[step.replace('[]', '')];
    found = step.endsWith('[]') ? field?.items : field;
  }
  if (found === undefined) throw new TypeError(`no field at ${path}`);
  return found;
}
