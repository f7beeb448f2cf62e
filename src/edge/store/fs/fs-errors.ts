import { AppError, type ErrorCode, messageOf } from '../../../base/index.ts';

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: 'notFound',
  ENOTDIR: 'notFound',
  EISDIR: 'notFound',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  EROFS: 'forbidden',
  ELOOP: 'forbidden',
  ENOSPC: 'tooLarge',
  EDQUOT: 'tooLarge',
  EFBIG: 'tooLarge',
  ENAMETOOLONG: 'invalid',
  EILSEQ: 'invalid',
  EINVAL: 'invalid',
};

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such object',
  ENOTDIR: 'no such object',
  EISDIR: 'no such object',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Anything a system call threw; an unknown error, such as an I/O error of a network disk, may be transient. */
export function fsError(what: string, error: unknown): unknown {
  const code = systemCode(error);
  // Not from a system call: a caller's abort reason, a failure of the source, or our own error.
  if (code === undefined || error instanceof AppError || !(error instanceof Error && 'syscall' in error)) return error;
  return new AppError(CODES[code] ?? 'unreachable', `${what}: ${WORDS[code] ?? messageOf(error)}`, { cause: error });
}
