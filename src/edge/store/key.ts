import { AppError, cleanText } from '../../base/index.ts';

/** S3's limit, in bytes of UTF-8. */
const MAX_KEY_BYTES = 1024;

/** Why the text cannot be a key, or undefined when it can. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'it is empty';
  if (!key.isWellFormed()) return 'it is not valid Unicode';
  const bytes = Buffer.byteLength(key);
  if (bytes > MAX_KEY_BYTES) return `it has ${bytes} bytes, at most ${MAX_KEY_BYTES} are allowed`;
  if (hasControlCharacter(key)) return 'it contains a control character';
  for (const part of key.split('/')) {
    // URLs and file systems treat these specially; keys do not.
    if (part === '') return 'it begins or ends with a slash or has two in a row';
    if (part === '.' || part === '..') return `it contains the component "${part}"`;
  }
  return undefined;
}

export function checkKey(key: string): void {
  const problem = keyProblem(key);
  if (problem !== undefined) throw new AppError('invalid', `use ${shown(key)} as the key of an object: ${problem}`);
}

/** A prefix is the beginning of a key: empty, or anything a key can begin with. */
export function checkPrefix(prefix: string): void {
  if (prefix === '') return;
  const problem = keyProblem(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix);
  if (problem !== undefined) throw new AppError('invalid', `list objects below ${shown(prefix)}: ${problem}`);
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

function shown(text: string): string {
  return JSON.stringify(cleanText(text, 201));
}
