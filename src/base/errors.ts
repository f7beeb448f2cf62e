import { ERROR_CODES, type ErrorCode, type ErrorFacts, type Retry } from './error-codes.ts';

interface ErrorOptions {
  cause?: unknown;
  /** Overrides the table, for a server that said when to retry. */
  retry?: Retry;
  /** Machine-readable facts for the surface that shows the error, such as a Kubernetes Status' details. */
  details?: Readonly<Record<string, unknown>>;
}

/** The one error class. Its code decides retry, HTTP status, exit code and condition reason. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retry: Retry;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.retry = options.retry ?? ERROR_CODES[code].retry;
    this.details = options.details;
  }

  get facts(): ErrorFacts {
    return ERROR_CODES[this.code];
  }
}

export function isAppError(error: unknown, ...codes: ErrorCode[]): error is AppError {
  return error instanceof AppError && (codes.length === 0 || codes.includes(error.code));
}

/** A message for people about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error that was not translated at the edge is a bug of ours. It keeps its cause. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('bug', messageOf(error), { cause: error });
}
