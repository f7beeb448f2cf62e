import { AppError } from '../errors.ts';

/** 422: the patch is well formed but does not fit the object. */
export function unfit(message: string, details?: { failedTest: true }): AppError {
  return new AppError('invalid', message, details === undefined ? {} : { details });
}
