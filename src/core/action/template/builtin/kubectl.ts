import { FunctionProblem } from '../problem.ts';
import { decodeBase64 } from '../sprig/encodings.ts';
import { fn, raw, text, variadic } from '../value/function.ts';
import { fromBytes } from '../value/go-text.ts';
import type { Callable } from '../value/value.ts';
import { indexed } from './containers.ts';

/** What kubectl adds to text/template when it prints objects. */
export const KUBECTL: Readonly<Record<string, Callable>> = {
  exists: variadic([raw], raw, (_run, [item], indexes) => {
    try {
      indexed(item, indexes);
      return true;
    } catch (error) {
      if (error instanceof FunctionProblem) return false;
      throw error;
    }
  }),
  base64decode: fn([text], (content) => {
    const decoded = decodeBase64(content);
    if ('bytes' in decoded) return fromBytes(decoded.bytes);
    throw new FunctionProblem(`base64 decode failed: ${decoded.problem}`);
  }),
};
