import { FunctionProblem } from '../problem.ts';
import { costly, fn, text } from '../value/function.ts';
import type { Callable, Run } from '../value/value.ts';

const SPECIAL = /[*#$@!?\-0-9]/;
const NAME = /[_0-9A-Za-z]/;

function variable(run: Run, name: string): string {
  return Object.hasOwn(run.environment, name) ? String(run.environment[name]) : '';
}

/** `$NAME` and `${NAME}` as os.ExpandEnv reads them. */
function expand(run: Run, content: string): string {
  let result = '';
  let at = 0;
  while (at < content.length) {
    if (content[at] !== '$' || at + 1 >= content.length) {
      result += content.charAt(at);
      at += 1;
      continue;
    }
    const { name, length } = shellName(content.slice(at + 1));
    if (name !== '') result += variable(run, name);
    // What is no name leaves the dollar sign; a bad brace is swallowed.
    else if (length === 0) result += '$';
    run.spend(1 + result.length / 64);
    at += 1 + length;
  }
  return result;
}

function shellName(rest: string): { name: string; length: number } {
  if (rest.startsWith('{')) {
    if (SPECIAL.test(rest.charAt(1)) && rest[2] === '}') return { name: rest.charAt(1), length: 3 };
    const close = rest.indexOf('}');
    if (close < 0) return { name: '', length: 1 };
    return close === 1 ? { name: '', length: 2 } : { name: rest.slice(1, close), length: close + 1 };
  }
  if (SPECIAL.test(rest.charAt(0))) return { name: rest.charAt(0), length: 1 };
  let length = 0;
  while (length < rest.length && NAME.test(rest.charAt(length))) length += 1;
  return { name: rest.slice(0, length), length };
}

export const ENVIRONMENT: Readonly<Record<string, Callable>> = {
  env: costly([text], variable),
  expandenv: costly([text], expand),
  hello: fn([], () => 'Hello!'),
  fail: fn([text], (message) => {
    throw new FunctionProblem(message);
  }),
};
