import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidOption } from '../errors/index.ts';
import type { WriteOptions } from '../registry/index.ts';
import type { User } from './authenticator.ts';

/** One request on its way through the server. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
  user: User;
  /** Sent as Warning headers with the answer. */
  warnings: string[];
}

const VALIDATIONS = ['Strict', 'Warn', 'Ignore'] as const;

/** What the query of a write asks for. */
export function writeOptions({ query, warnings }: Exchange): WriteOptions {
  const asked = query.get('fieldValidation') ?? '';
  const fieldValidation = VALIDATIONS.find((known) => known === asked);
  if (asked !== '' && fieldValidation === undefined) {
    throw unsupportedValue('fieldValidation', asked, ['Ignore', 'Strict', 'Warn']);
  }
  return {
    dryRun: isDryRun(query),
    ...(fieldValidation === undefined ? {} : { fieldValidation }),
    warn: (message) => {
      warnings.push(message);
    },
  };
}

export function isDryRun(query: URLSearchParams): boolean {
  const values = query.getAll('dryRun').filter((value) => value !== '');
  for (const value of values) {
    if (value !== 'All') throw unsupportedValue('dryRun', value, ['All']);
  }
  return values.length > 0;
}

function unsupportedValue(field: string, value: string, supported: readonly string[]): Error {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${list}`;
  return invalidOption('CreateOptions', { reason: 'FieldValueNotSupported', message, field });
}
