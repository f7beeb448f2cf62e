import type { NumberLiteral } from '../parse/number.ts';
import type { Operand } from '../parse/node.ts';
import { FunctionProblem } from '../problem.ts';
import { typeOf } from '../value/inspect.ts';
import { int, zeroOf } from '../value/make.ts';
import { ANY, REFLECT } from '../value/type.ts';
import { Complex, Int, Pointer, type Type, type Value } from '../value/value.ts';

/** Whether nil can be passed for it. */
export function canBeNil({ kind, text }: Type): boolean {
  return kind === 'interface' || kind === 'map' || kind === 'ptr' || kind === 'slice' || text === REFLECT.text;
}

/** The value as an argument of this type, or an error in Go's words. */
export function fitted(value: Value, type: Type): Value {
  if (value === undefined) return nothing(type);
  if (type === ANY || type === REFLECT) return value;
  const own = typeOf(value);
  if (own?.text === type.text) return value;
  if (value instanceof Pointer && own?.elem?.text === type.text) {
    if (value.target === undefined) throw new FunctionProblem(`dereference of nil pointer of type ${type.text}`);
    return value.target;
  }
  throw new FunctionProblem(`wrong type for value; expected ${type.text}; got ${own?.text ?? 'interface {}'}`);
}

function nothing(type: Type): Value {
  if (type.text === REFLECT.text) return undefined;
  if (canBeNil(type)) return zeroOf(type);
  throw new FunctionProblem(`invalid value; expected ${type.text}`);
}

type Literal = Extract<Operand, { kind: 'bool' | 'string' | 'number' }>;

/** A literal as an argument of this type. `source` is how it is written. */
export function literalFor(literal: Literal, type: Type, source: string): Value {
  switch (type.kind) {
    case 'bool':
      if (literal.kind === 'bool') return literal.value;
      throw new FunctionProblem(`expected bool; found ${source}`);
    case 'string':
      if (literal.kind === 'string') return literal.value;
      throw new FunctionProblem(`expected string; found ${source}`);
    case 'float64':
      if (literal.kind === 'number' && literal.number.float !== undefined) return literal.number.float;
      throw new FunctionProblem(`expected float; found ${source}`);
    case 'int':
    case 'int32':
    case 'int64':
      if (literal.kind === 'number' && literal.number.int !== undefined) return new Int(type, literal.number.int);
      throw new FunctionProblem(`expected integer; found ${source}`);
    default:
      if (type === ANY || type === REFLECT) return literalValue(literal);
      throw new FunctionProblem(`can't handle ${source} for arg of type ${type.text}`);
  }
}

/** What a literal is by itself: how a number is written decides its type. */
export function literalValue(literal: Literal): Value {
  return literal.kind === 'number' ? numberValue(literal.number) : literal.value;
}

function numberValue({ text, int: whole, float, complex }: NumberLiteral): Value {
  if (complex !== undefined) return new Complex(complex.real, complex.imaginary);
  const isHexadecimal = /^0[xX]/.test(text) && !/[pP]/.test(text);
  if (float !== undefined && !isHexadecimal && !text.startsWith("'") && /[.eEpP]/.test(text)) return float;
  if (whole === undefined) throw new FunctionProblem(`${text} overflows int`);
  return int(whole);
}
