import { AppError } from '../../../base/index.ts';

/** The same error with more details; AppErrors are immutable. */
export function withDetails(error: AppError, details: Readonly<Record<string, unknown>>): AppError {
  return new AppError(error.code, error.message, {
    cause: error.cause,
    retry: error.retry,
    details: { ...error.details, ...details },
  });
}
