import { AppError } from '../errors.ts';
import { stringifyJson, type Json } from '../lossless-json.ts';

/** 400: the patch itself is wrong. */
export function malformed(message: string): AppError {
  return new AppError('usage', message);
}

const MAX_SHOWN = 100;

/** The beginning of a value, for messages. */
export function shortJson(value: Json): string {
  try {
    return stringifyJson(value).slice(0, MAX_SHOWN);
  } catch (error) {
    if (error instanceof RangeError) return 'what is nested too deep to be shown';
    throw error;
  }
}
