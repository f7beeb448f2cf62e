import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCredentials } from './credentials.ts';

const NOW = Date.UTC(2026, 0, 1);
const YEAR_MS = 365 * 24 * 3_600_000;

describe('loadCredentials', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-tls-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it('makes certificates that OpenSSL reads and that one CA signed', () => {
    const made = loadCredentials(dir, NOW);
    const ca = new X509Certificate(made.ca);
    const server = new X509Certificate(made.serverCert);
    const admin = new X509Certificate(made.adminCert);
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.subjectAltName).toContain('IP Address:127.0.0.1');
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(admin.verify(ca.publicKey)).toBe(true);
    expect(admin.subject).toBe('O=system:masters\nCN=pocket-admin');
    expect(server.serialNumber).not.toBe(admin.serialNumber);
    expect(Date.parse(server.validTo)).toBeGreaterThan(NOW + 9 * YEAR_MS);
  });

  it('keeps them until they run out', () => {
    const made = loadCredentials(dir, NOW);
    expect(loadCredentials(dir, NOW + YEAR_MS)).toEqual(made);
    expect(loadCredentials(dir, NOW + 10 * YEAR_MS).ca).not.toBe(made.ca);
  });
});
