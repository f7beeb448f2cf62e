const PREFIXES = ['', 'K', 'M', 'G', 'T', 'P', 'E'];
/** `0 B`, `546.9 MB`, `1.2 MiB`: what kopia prints, with powers of 1000 or, if it was told so, of 1024. */
export const BYTE_SIZE = String.raw`\d{1,16}(?:\.\d{1,9})? (?:[KMGTPE]i?)?B`;
const PARTS = /^([\d.]+) ([KMGTPE]?)(i?)B$/;

/** Bytes, rounded as the text was: `4.5 GB` may be 50 MB off. Undefined for any other text. */
export function parseByteSize(text: string): number | undefined {
  const [, amount, prefix, binary] = PARTS.exec(text) ?? [];
  const value = Number(amount);
  if (amount === undefined || Number.isNaN(value)) return undefined;
  const bytes = value * (binary === 'i' ? 1024 : 1000) ** PREFIXES.indexOf(prefix ?? '');
  return Math.min(Math.round(bytes), Number.MAX_SAFE_INTEGER);
}
