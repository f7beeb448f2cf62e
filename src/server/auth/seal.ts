import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { derivedKey } from './derived-key.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps what only this server may read or have written in the hands of others. A key of its own for each purpose. */
export class Seal {
  readonly #cipherKey: Buffer;
  readonly #macKey: Buffer;
  /** Differs between servers, so that two of them on one machine do not overwrite each other's cookies. */
  readonly fingerprint: string;

  constructor(key: Uint8Array, purpose: string) {
    this.#cipherKey = derivedKey(key, `${purpose} cipher`);
    this.#macKey = derivedKey(key, `${purpose} mac`);
    this.fingerprint = createHash('sha256').update(this.#macKey).digest('hex').slice(0, 8);
  }

  close(content: object): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey, iv);
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** Undefined for everything that this server did not seal. */
  open(text: string): Record<string, unknown> | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const content = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
      return JSON.parse(content.toString('utf8')) as Record<string, unknown>;
    } catch {
      // Forged, damaged, or of another server: all the same to us.
      return undefined;
    }
  }

  mac(text: string): string {
    return createHmac('sha256', this.#macKey).update(text).digest('base64url');
  }
}

/** In a time that tells nothing about where they differ. */
export function isSameText(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left ?? Buffer.alloc(0), right ?? Buffer.alloc(1));
}
