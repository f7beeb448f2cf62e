/**
 * The functions that text/template brings itself.
 * They must never take part in the evaluation of their arguments; `and` and `or`, which do, are the evaluator's.
 */
import { sprint, sprintf, sprintln } from '../format/printf.ts';
import { FunctionProblem } from '../problem.ts';
import { any, fn, raw, text, variadic } from '../value/function.ts';
import { held, isTrue, typeText } from '../value/inspect.ts';
import { int } from '../value/make.ts';
import type { Callable, Value } from '../value/value.ts';
import { equalsAny, order } from './compare.ts';
import { indexed, lengthOf, sliced } from './containers.ts';
import { argumentsText, escapeHtml, escapeQuery, escapeScript } from './escape.ts';

/** Values here are data alone, and no function is among them. */
function call(callee: Value): never {
  if (held(callee) === undefined) throw new FunctionProblem('call of nil');
  throw new FunctionProblem(`non-function of type ${typeText(callee)}`);
}

const escaping = (escape: (text: string) => string): Callable =>
  variadic([], any, (run, _fixed, values) => escape(argumentsText(values, run)));
const comparing = (test: (order: number) => boolean): Callable =>
  fn([raw, raw], (first, second) => test(order(first, second)));

export const BUILTINS: Readonly<Record<string, Callable>> = {
  and: variadic([raw], raw, (_run, [first]) => first),
  or: variadic([raw], raw, (_run, [first]) => first),
  not: fn([raw], (value) => !isTrue(held(value))),
  call: variadic([raw], raw, (_run, [callee]) => call(callee)),
  index: variadic([raw], raw, (_run, [item], indexes) => indexed(item, indexes)),
  slice: variadic([raw], raw, (_run, [item], indexes) => sliced(item, indexes)),
  len: fn([raw], (item) => int(lengthOf(item))),
  print: variadic([], any, (run, _fixed, values) => sprint(values, run)),
  printf: variadic([text], any, (run, [format], values) => sprintf(format, values, run)),
  println: variadic([], any, (run, _fixed, values) => sprintln(values, run)),
  html: escaping(escapeHtml),
  js: escaping(escapeScript),
  urlquery: escaping(escapeQuery),
  eq: variadic([raw], raw, (_run, [first], others) => equalsAny(first, others)),
  ne: fn([raw, raw], (first, second) => !equalsAny(first, [second])),
  lt: comparing((result) => result < 0),
  le: comparing((result) => result <= 0),
  gt: comparing((result) => result > 0),
  ge: comparing((result) => result >= 0),
};
