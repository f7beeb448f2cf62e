import { BOOL, COMPLEX128, FLOAT64, STRING } from './type.ts';
import { Complex, Int, List, Mapping, Pointer, type Type, type Value } from './value.ts';

/** Of a value that is there; undefined for one that is not. */
export function typeOf(value: Value): Type | undefined {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return FLOAT64;
    default:
      if (value === undefined || value === null) return undefined;
      return value instanceof Complex ? COMPLEX128 : value.type;
  }
}

/** As Go prints it: `<nil>` for no value. */
export function typeText(value: Value): string {
  return typeOf(value)?.text ?? '<nil>';
}

/** What an interface holds: nothing where it is nil. */
export function held(value: Value): Exclude<Value, null> {
  return value === null ? undefined : value;
}

/** Follows pointers to their end, or to the one that is nil. */
export function indirect(value: Value): { value: Value; isNil: boolean } {
  let current = value;
  while (current instanceof Pointer) {
    if (current.target === undefined) return { value: current, isNil: true };
    current = current.target;
  }
  return { value: current, isNil: current === null };
}

/** Go's nil of any type. */
export function isNil(value: Value): boolean {
  if (value === undefined || value === null) return true;
  if (value instanceof Pointer) return value.target === undefined;
  return (value instanceof List || value instanceof Mapping) && value.isNil;
}

/** What `if` means by true: not the zero of its type, and not empty. */
export function isTrue(value: Value): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value !== '';
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  if (value instanceof Int) return value.value !== 0n;
  if (value instanceof List) return value.length > 0;
  if (value instanceof Mapping) return value.size > 0;
  if (value instanceof Pointer) return value.target !== undefined;
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  return true;
}
