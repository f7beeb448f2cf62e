import { AppError } from '../errors.ts';

const MAX_SHOWN = 100;

/** Go's wording, so that people can search for it. `part` is the part of the expression that is wrong. */
export function patternError(what: string, part = ''): AppError {
  const shown = part.length > MAX_SHOWN ? `${part.slice(0, MAX_SHOWN)}…` : part;
  return new AppError('invalid', `error parsing regexp: ${what}${shown === '' ? '' : `: \`${shown}\``}`);
}
