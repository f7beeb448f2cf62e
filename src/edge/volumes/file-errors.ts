import { AppError, messageOf, type ErrorCode } from '../../base/index.ts';
import { systemCode } from './system-code.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'notFound',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ENOSPC: 'tooLarge',
  EDQUOT: 'tooLarge',
  EFBIG: 'tooLarge',
  EEXIST: 'alreadyExists',
};
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EEXIST: 'something is there already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EIO: 'the disk cannot be read or written',
};

/** Why a system call failed, without the path that Node puts into the message. */
export function causeOf(error: unknown): string {
  return WORDS[systemCode(error) ?? ''] ?? messageOf(error).replace(/, \w+ '.*$/s, '');
}

/** Whatever a system call on a volume threw. */
export function fileError(what: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof AppError) return error;
  return new AppError(CODES[code] ?? 'serverError', `${what}: ${causeOf(error)}`, { cause: error });
}
