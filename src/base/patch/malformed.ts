import { AppError } from '../errors.ts';

/** 400: the patch itself is wrong. */
export function malformed(message: string): AppError {
  return new AppError('usage', message);
}
