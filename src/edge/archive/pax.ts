/** The parts of a pax header that matter here. */
export interface PaxFacts {
  path?: string;
  size?: number;
}

const DIGITS = /^\d{1,15}$/;
const LONGEST_LENGTH = 6;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/** Records of the form `<length> <key>=<value>\n`. Throws Error for anything else. */
export function parsePax(bytes: Buffer): PaxFacts {
  const facts: PaxFacts = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(SPACE, at);
    const end = at + lengthIn(bytes, at, space);
    if (end > bytes.length || bytes[end - 1] !== NEWLINE) throw broken();
    const record = bytes.toString('utf8', space + 1, end - 1);
    const equals = record.indexOf('=');
    if (equals < 1) throw broken();
    take(facts, record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return facts;
}

function lengthIn(bytes: Buffer, at: number, space: number): number {
  const digits = bytes.toString('latin1', at, Math.min(space, at + LONGEST_LENGTH));
  if (space < 0 || !DIGITS.test(digits)) throw broken();
  return Number(digits);
}

/** An empty value removes an earlier one. */
function take(facts: PaxFacts, key: string, value: string): void {
  // A sparse file has holes, so its content differs from the bytes in the archive.
  if (key.startsWith('GNU.sparse')) throw new Error('expected a regular file, got a sparse one');
  if (value === '') return;
  if (key === 'path') facts.path = value;
  if (key !== 'size') return;
  if (!DIGITS.test(value)) throw broken();
  facts.size = Number(value);
}

function broken(): Error {
  return new Error('expected a pax header, got something else');
}
