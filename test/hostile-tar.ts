import { BLOCK, maxHeaderBytes, writePadding, writeTarHeader } from '../src/edge/archive/tar-header.ts';

const SUM_AT = 148;
const TYPE_AT = 156;

/** One entry of a tar with any type and any bytes, also such as no program writes. */
export function tarEntry(path: string, bytes: Uint8Array, type = '0'): Buffer {
  const entry = Buffer.alloc(maxHeaderBytes(path) + bytes.length + BLOCK);
  const start = writeTarHeader(entry, 0, { path, size: bytes.length, mtimeSeconds: 0 });
  const header = entry.subarray(start - BLOCK, start);
  const sum = Number.parseInt(header.toString('latin1', SUM_AT, SUM_AT + 6), 8) - (header[TYPE_AT] ?? 0);
  header.write(type, TYPE_AT, 'latin1');
  header.write((sum + type.charCodeAt(0)).toString(8).padStart(6, '0'), SUM_AT, 'latin1');
  entry.set(bytes, start);
  return entry.subarray(0, writePadding(entry, start + bytes.length, bytes.length));
}

export const TAR_END: Buffer = Buffer.alloc(2 * BLOCK);

export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length;
  return `${length}${rest}`;
}

/**
 * What once stopped a whole server: 1 MB with a global header of 471 000 keys, which a reader that believes it copies for each
 * of the small headers behind it.
 */
export function paxBomb(): Buffer<ArrayBuffer> {
  const parts: string[] = [];
  for (let key = 0; key < 471_000; key += 1) parts.push(paxRecord(key.toString(36).slice(-4), ''));
  const keys = Buffer.from(parts.join('')).subarray(0, 4 * 1024 ** 2);
  const small = Array.from({ length: 300 }, (_, at) => [
    tarEntry('x', Buffer.from(paxRecord('path', `resources/pods/namespaces/a/${at}.json`)), 'x'),
    tarEntry('x', Buffer.from('{}')),
  ]);
  return Buffer.concat([tarEntry('pax_global_header', keys, 'g'), ...small.flat(), TAR_END]);
}
