import { any, costly, fn, text } from '../value/function.ts';
import { typeOf, typeText } from '../value/inspect.ts';
import type { Callable, Value } from '../value/value.ts';
import { deepEqual } from './equal.ts';

function kindText(value: Value): string {
  return typeOf(value)?.kind ?? 'invalid';
}

export const REFLECTION: Readonly<Record<string, Callable>> = {
  typeOf: fn([any], typeText),
  typeIs: fn([text, any], (name, value) => name === typeText(value)),
  typeIsLike: fn([text, any], (name, value) => name === typeText(value) || `*${name}` === typeText(value)),
  kindOf: fn([any], kindText),
  kindIs: fn([text, any], (name, value) => name === kindText(value)),
  deepEqual: costly([any, any], (run, a, b) => deepEqual(a, b, run)),
};
