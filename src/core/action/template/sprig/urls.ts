import { FunctionProblem } from '../problem.ts';
import { fn, mapping, text } from '../value/function.ts';
import { held, typeOf } from '../value/inspect.ts';
import { dict } from '../value/make.ts';
import type { Callable, Mapping } from '../value/value.ts';
import { parseUrl, writeUrl, type Address } from './address.ts';

const NAMES = ['scheme', 'host', 'path', 'query', 'opaque', 'fragment', 'userinfo'] as const;

function parse(source: string): Mapping {
  const url = parseUrl(source);
  if (typeof url === 'string')
    throw new FunctionProblem(`unable to parse url: parse ${JSON.stringify(source)}: ${url}`);
  const hostname = url.host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
  return dict([...NAMES.map((name) => [name, url[name]] as const), ['hostname', hostname]]);
}

function join(parts: Mapping): string {
  const url = Object.fromEntries(
    NAMES.map((name) => {
      const value = held(parts.get(name));
      if (parts.has(name) && typeof value !== 'string') {
        const kind = typeOf(value)?.kind ?? 'invalid';
        throw new FunctionProblem(`unable to parse ${name} key, must be of type string, but ${kind} found`);
      }
      return [name, value ?? ''];
    }),
  ) as unknown as Address;
  return writeUrl(url);
}

export const URLS: Readonly<Record<string, Callable>> = {
  urlParse: fn([text], parse),
  urlJoin: fn([mapping], join),
};
