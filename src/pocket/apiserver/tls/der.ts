/** The few forms of ASN.1 DER that a certificate is made of. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

function element(tag: number, content: Buffer): Buffer {
  const size = content.length;
  if (size < 0x80) return Buffer.concat([Buffer.from([tag, size]), content]);
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

export const sequence = (...items: Buffer[]): Buffer => element(TAG.sequence, Buffer.concat(items));
export const set = (...items: Buffer[]): Buffer => element(TAG.set, Buffer.concat(items));
export const utf8 = (text: string): Buffer => element(TAG.utf8, Buffer.from(text));
export const octetString = (content: Buffer): Buffer => element(TAG.octetString, content);
export const bitString = (content: Buffer, unusedBits = 0): Buffer =>
  element(TAG.bitString, Buffer.concat([Buffer.from([unusedBits]), content]));
export const isTrue = (): Buffer => element(TAG.boolean, Buffer.from([0xff]));
/** `[n]` around content, or in place of a simple type's tag. */
export const context = (n: number, content: Buffer, isConstructed = true): Buffer =>
  element((isConstructed ? 0xa0 : 0x80) | n, content);

/** A number that is not negative, big-endian; a leading zero keeps the sign. */
export function integer(bytes: Buffer): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return element(TAG.integer, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const digits = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return element(TAG.objectId, Buffer.from(bytes));
}

/** Years before 2050 have two digits, later ones four. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  const isShort = new Date(ms).getUTCFullYear() < 2050;
  return element(isShort ? TAG.utcTime : TAG.generalizedTime, Buffer.from(isShort ? digits.slice(2) : digits));
}
