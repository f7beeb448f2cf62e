/** Files for bench/volumes.ts. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that all differ: every second one is text that shrinks to three quarters, the others cannot be compressed. */
export function makeFiles(folder: string, count: number, size: number, perFolder = 1000): string {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < count; at += 1) {
    const inside = join(folder, `d${String(Math.floor(at / perFolder))}`);
    if (at % perFolder === 0) mkdirSync(inside, { recursive: true });
    const cipher = createCipheriv('aes-256-ctr', randomBytes(32), Buffer.alloc(16));
    const content = cipher.update(bytes);
    writeFileSync(join(inside, `f${String(at)}`), at % 2 === 0 ? content : content.toString('base64').slice(0, size));
  }
  return folder;
}
