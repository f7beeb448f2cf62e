import { AppError } from '../errors.ts';

const MAX_SHOWN = 100;

/** In Go's words, so that people find it where they look. `part` is what is wrong of the expression. */
export function patternError(what: string, part = ''): AppError {
  const shown = part.length > MAX_SHOWN ? `${part.slice(0, MAX_SHOWN)}…` : part;
  return new AppError('invalid', `error parsing regexp: ${what}${shown === '' ? '' : `: \`${shown}\``}`);
}
