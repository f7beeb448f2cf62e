import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { secretKey } from './secret-key.ts';

it('is made once, for this user alone, and anew when it is asked for', () => {
  const directory = mkdtempSync(join(tmpdir(), 'headway-key-'));
  const file = join(directory, 'server', 'key');
  try {
    const key = secretKey(file);
    expect([key.length, statSync(file).mode & 0o777]).toEqual([32, 0o600]);
    expect(secretKey(file)).toEqual(key);
    const renewed = secretKey(file, { renew: true });
    expect(renewed).not.toEqual(key);
    expect(secretKey(file)).toEqual(renewed);
    expect(readdirSync(join(directory, 'server'))).toEqual(['key']);
    writeFileSync(file, 'short');
    expect(() => secretKey(file)).toThrow(/expected 32 bytes, it has 5/);
    expect(secretKey(file, { renew: true })).toHaveLength(32);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
