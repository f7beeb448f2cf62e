import { stringifyJson, type Json } from '../../base/index.ts';

const REASONS = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
} as const;
export type FieldReason = keyof typeof REASONS;

/** One cause of a 422, as it stands in `details.causes` of a Status. */
export interface FieldError {
  reason: FieldReason;
  /** Without the field, such as `Required value`. */
  message: string;
  /** Such as `spec.containers[0].image`. */
  field: string;
}

function build(reason: FieldReason, field: string, value: Json | undefined, detail: string): FieldError {
  const shown = value === undefined ? '' : `: ${stringifyJson(value)}`;
  return { reason, field, message: `${REASONS[reason]}${shown}${detail === '' ? '' : `: ${detail}`}` };
}

export const required = (field: string, detail = ''): FieldError =>
  build('FieldValueRequired', field, undefined, detail);
export const forbidden = (field: string, detail: string): FieldError =>
  build('FieldValueForbidden', field, undefined, detail);
export const invalid = (field: string, value: Json, detail: string): FieldError =>
  build('FieldValueInvalid', field, value, detail);
export const typeInvalid = (field: string, value: Json, detail: string): FieldError =>
  build('FieldValueTypeInvalid', field, value, detail);
export const duplicate = (field: string, value: Json): FieldError => build('FieldValueDuplicate', field, value, '');
export const notFound = (field: string, value: Json): FieldError => build('FieldValueNotFound', field, value, '');

export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const list = supported.map((word) => JSON.stringify(word)).join(', ');
  return build('FieldValueNotSupported', field, value, supported.length > 0 ? `supported values: ${list}` : '');
}

export function tooLong(field: string, max: number, unit: 'byte' | 'character' = 'byte'): FieldError {
  return build('FieldValueTooLong', field, undefined, `may not be more than ${max} ${unit}${max === 1 ? '' : 's'}`);
}

export function tooMany(field: string, count: number, max: number): FieldError {
  return build('FieldValueTooMany', field, count, `must have at most ${max} item${max === 1 ? '' : 's'}`);
}

/** The causes as the tail of a Status message: one as it is, several in brackets. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
