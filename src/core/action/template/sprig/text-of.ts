import { sprint } from '../format/printf.ts';
import { fromBytes } from '../value/go-text.ts';
import { held } from '../value/inspect.ts';
import { List, type Run, type Value } from '../value/value.ts';

/** Any value as text; bytes are text already. */
export function textOf(value: Value, run: Run): string {
  if (typeof value === 'string') return value;
  if (value instanceof List && value.type.text === '[]uint8') {
    const bytes = value.bytes ?? new Uint8Array();
    run.spend(bytes.length / 16);
    return fromBytes(bytes);
  }
  return sprint([value], run);
}

/** A list as texts, without those that are nil; anything else as a list of one. */
export function textsOf(value: Value, run: Run): string[] {
  if (held(value) === undefined) return [];
  if (!(value instanceof List)) return [textOf(value, run)];
  run.spend(value.length);
  return value.items.filter((item) => held(item) !== undefined).map((item) => textOf(item, run));
}
