import { FunctionProblem } from '../problem.ts';
import { any, costly, flag, fn, variadic } from '../value/function.ts';
import { held, isTrue } from '../value/inspect.ts';
import type { Callable } from '../value/value.ts';
import { toJson } from './json.ts';
import { deepCopy } from './copy.ts';

export const DEFAULTS: Readonly<Record<string, Callable>> = {
  default: variadic([any], any, (_run, [otherwise], given) => (isTrue(given[0]) ? given[0] : (otherwise ?? null))),
  empty: fn([any], (value) => !isTrue(value)),
  coalesce: variadic([], any, (_run, _fixed, values) => values.find(isTrue) ?? null),
  ternary: fn([any, any, flag], (yes, no, test) => held(test ? yes : no) ?? null),
  deepCopy: costly([any], (run, value) => {
    if (value === undefined) throw new FunctionProblem('reflect: call of reflect.Value.Type on zero Value');
    return deepCopy(value, run);
  }),
  toJson: costly([any], (run, value) => toJson(value, run)),
  toPrettyJson: costly([any], (run, value) => toJson(value, run, '  ')),
};
