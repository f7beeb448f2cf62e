import type { JsonObject, MergeField, MergeType } from '../../base/index.ts';
import { goTypeOf, normalizeStruct, type GoStruct, type GoType } from '../builtins/index.ts';
import { checkStruct, type Checked } from './go-check.ts';

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** A built-in kind's Go type, as far as a server needs it. */
export interface BuiltinSchema {
  /**
   * Reads the object as the real server's Go type would. `typeError` is the tail of its 400 message, such as
   * `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`.
   */
  check(object: JsonObject): Checked;
  /**
   * The object as the real server would write it back: quantities and times in canonical form, empty optional fields
   * gone, required ones with their zero value. Unknown fields stay. Call it after `check` found no type error.
   */
  normalize(object: JsonObject): JsonObject;
  /** For strategic merge patches. */
  merge: MergeType;
}

function structOf(type: GoType): GoStruct | undefined {
  if (type.kind === 'struct') return type.struct;
  return type.kind === 'list' || type.kind === 'map' ? structOf(type.of) : undefined;
}

function mergeTypeOf(struct: GoStruct): MergeType {
  return {
    field(name): MergeField | undefined {
      const field = struct.byName.get(name);
      if (!field) return undefined;
      const inner = field.type.kind === 'map' ? undefined : structOf(field.type);
      return {
        strategies: field.strategies,
        ...(field.mergeKey === undefined ? {} : { mergeKey: field.mergeKey }),
        ...(inner ? { type: mergeTypeOf(inner) } : {}),
      };
    },
  };
}

/** Undefined when the kind is not built in. */
export function builtinSchema({ group, version, kind }: GroupVersionKind): BuiltinSchema | undefined {
  const struct = goTypeOf(group, version, kind);
  if (!struct) return undefined;
  return {
    check: (object) => checkStruct(struct, object),
    normalize: (object) => normalizeStruct(struct, object),
    merge: mergeTypeOf(struct),
  };
}
