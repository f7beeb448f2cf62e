import { createHmac, timingSafeEqual } from 'node:crypto';

/** What only a holder of the key can answer to a nonce, and what tells nothing about the key. */
export function proofOf(key: Uint8Array, nonce: string): string {
  return createHmac('sha256', key).update(nonce).digest('base64url');
}

export function isProof(key: Uint8Array, nonce: string, proof: string): boolean {
  const [expected, got] = [Buffer.from(proofOf(key, nonce)), Buffer.from(proof)];
  return expected.length === got.length && timingSafeEqual(expected, got);
}
