import { FunctionProblem } from '../problem.ts';
import { indirect, typeOf, typeText } from '../value/inspect.ts';
import { zeroOf } from '../value/make.ts';
import { Mapping, Pointer, Struct, type Callable, type Type, type Value } from '../value/value.ts';

/** What a name that is not in a map means. Blueprints want an error, conditions of Wait want its zero. */
export type MissingKey = 'error' | 'zero' | 'nothing';

export type Found =
  { readonly method: Callable } | { readonly value: Value; readonly isIn: 'struct' | 'map' | 'nothing' };

/** What `.Name` means for a value: a method, a field of a struct, or an entry of a map. */
export function findField(receiver: Value, name: string, missingKey: MissingKey): Found {
  if (receiver === undefined) {
    if (missingKey === 'error') throw new FunctionProblem(`nil data; no entry for key ${JSON.stringify(name)}`);
    return { value: undefined, isIn: 'nothing' };
  }
  if (receiver === null) throw new FunctionProblem(`nil pointer evaluating interface {}.${name}`);
  const { value, isNil } = indirect(receiver);
  const method = methodOf(receiver, name) ?? methodOf(value, name);
  if (method !== undefined) return { method };
  if (value instanceof Struct) {
    const field = fieldOf(value, name);
    if (field !== undefined) return { value: field.value, isIn: 'struct' };
  } else if (value instanceof Mapping) return { value: entryOf(value, name, missingKey), isIn: 'map' };
  else if (isNil && value instanceof Pointer && hasField(value.type.elem, name)) {
    throw new FunctionProblem(`nil pointer evaluating ${typeText(receiver)}.${name}`);
  }
  throw new FunctionProblem(`can't evaluate field ${name} in type ${typeText(receiver)}`);
}

function methodOf(value: Value, name: string): Callable | undefined {
  const methods = typeOf(value)?.methods;
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name]?.(value) : undefined;
}

/** Its own, or one of an embedded struct. */
function fieldOf(struct: Struct, name: string): { value: Value } | undefined {
  if (struct.fields.has(name)) return { value: struct.fields.get(name) };
  for (const field of struct.type.fields ?? []) {
    const inner = field.isEmbedded === true ? struct.fields.get(field.name) : undefined;
    const found = inner instanceof Struct ? fieldOf(inner, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasField(type: Type | undefined, name: string): boolean {
  if (type?.kind !== 'struct') return true;
  return (type.fields ?? []).some(
    (field) => field.name === name || (field.isEmbedded === true && hasField(field.type, name)),
  );
}

function entryOf(mapping: Mapping, name: string, missingKey: MissingKey): Value {
  if (mapping.has(name)) return mapping.get(name);
  if (missingKey === 'error') throw new FunctionProblem(`map has no entry for key ${JSON.stringify(name)}`);
  return missingKey === 'zero' && mapping.type.elem !== undefined ? zeroOf(mapping.type.elem) : undefined;
}
