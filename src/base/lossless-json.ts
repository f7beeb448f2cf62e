/**
 * JSON that keeps integers beyond 2^53: they become bigint when read and digits when written. Kubernetes has int64
 * fields, and a backup that changes one has lost data.
 */
export type Json = string | number | bigint | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

// TypeScript's library does not declare source text access yet (V8 has it since Node 22).
interface SourceTextJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}
const sourceText = JSON as unknown as SourceTextJson;

// The shortest unsafe integer has sixteen digits, and the shortest exponent of a number that is too large has three. A
// match inside a string only costs time, but names and uids must not match. Two expressions take about half the time of
// one that combines them; one that starts with sixteen digits could be ten times slower on text full of digits.
const LONG = /(?:^|[[:,\s])-?\d{16}/;
const LARGE = /\d[eE]\+?\d{3}\d*\s*(?:[,\]}]|$)/;
const INTEGER = /^-?\d+$/;
// Twice what an int64 needs. Parsing millions of digits takes seconds, and Kubernetes refuses them too.
const MAX_INTEGER_LENGTH = 40;

/** Infinity would be written as null. Kubernetes refuses such numbers too. */
function finite(value: number, source: string): number {
  if (Number.isFinite(value)) return value;
  throw new SyntaxError(`number out of range in JSON: ${source.slice(0, MAX_INTEGER_LENGTH)}`);
}

function keepInteger(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = String(context.source);
  if (!INTEGER.test(source)) return finite(value, source);
  if (source.length > MAX_INTEGER_LENGTH) throw new SyntaxError(`number of ${String(source.length)} digits in JSON`);
  return BigInt(source);
}

/** Throws SyntaxError like JSON.parse. */
export function parseJson(text: string): unknown {
  if (!LONG.test(text) && !LARGE.test(text)) return JSON.parse(text);
  try {
    return sourceText.parse(text, keepInteger);
  } catch (error) {
    // Unlike without a reviver, nesting uses the stack here.
    if (error instanceof RangeError) throw new SyntaxError('JSON is nested too deeply', { cause: error });
    throw error;
  }
}

function writeInteger(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? sourceText.rawJSON(value.toString()) : value;
}

export function stringifyJson(value: unknown, space?: number): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    // A replacer makes every write several times slower, so it is used only for the rare object with a bigint.
    if (error instanceof TypeError && error.message.includes('BigInt')) {
      return JSON.stringify(value, writeInteger, space);
    }
    throw error;
  }
}
