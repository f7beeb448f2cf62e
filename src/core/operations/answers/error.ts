import type { ErrorCode, JsonObject } from '../../../base/index.ts';

/** Every unsuccessful answer. */
export interface ErrorAnswer {
  error: {
    code: ErrorCode;
    message: string;
    /** What to do about it. */
    hint?: string;
    /** `fields`: a FieldError for each field that is wrong. */
    details?: JsonObject;
  };
}

/** `metadata.name`, and what is wrong with it in words. */
export interface FieldError {
  field: string;
  message: string;
}
