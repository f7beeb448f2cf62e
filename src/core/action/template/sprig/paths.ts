import { fn, text } from '../value/function.ts';
import type { Callable } from '../value/value.ts';

/** Go's package path: slashes, whatever the machine. */
function clean(path: string): string {
  if (path === '') return '.';
  const isRooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isRooted) parts.push(part);
  }
  const joined = (isRooted ? '/' : '') + parts.join('/');
  return joined === '' ? '.' : joined;
}

function base(path: string): string {
  if (path === '') return '.';
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return end === 0 ? '/' : path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}

function extension(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const dot = last.lastIndexOf('.');
  return dot < 0 ? '' : last.slice(dot);
}

export const PATHS: Readonly<Record<string, Callable>> = {
  base: fn([text], base),
  dir: fn([text], (path) => clean(path.slice(0, path.lastIndexOf('/') + 1))),
  clean: fn([text], clean),
  ext: fn([text], extension),
  isAbs: fn([text], (path) => path.startsWith('/')),
};
