import { sha256Hex } from './sha256.ts';

const MAX_LABEL = 63;
const HASH = 6;

/** A name as a label value: one that is too long keeps its beginning and ends in a hash, as in Velero. */
export function labelValue(name: string): string {
  return name.length <= MAX_LABEL ? name : name.slice(0, MAX_LABEL - HASH) + sha256Hex(name).slice(0, HASH);
}
