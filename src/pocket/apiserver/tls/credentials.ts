import { randomBytes, X509Certificate } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../base/index.ts';
import { scalarTextAt } from '../object/index.ts';
import { certify, newKeyPair, privateKeyPem, type CertificateRequest } from './certificate.ts';

/** Everything secret of one cluster, in PEM, and the admin's token. The CA's key is not kept: it signs once. */
export interface ClusterCredentials {
  ca: string;
  serverCert: string;
  serverKey: string;
  adminCert: string;
  adminKey: string;
  token: string;
}

const FILE = 'credentials.json';
const DAY_MS = 24 * 3_600_000;
const VALID_MS = 3650 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;

/** Those of the directory, or new ones when there are none, they are damaged, or they run out soon. */
export function loadCredentials(dir: string, now: number, serviceAddress = '10.96.0.1'): ClusterCredentials {
  const known = readKnown(join(dir, FILE));
  if (known !== undefined && isFresh(known, now)) return known;
  const made = makeCredentials(now, serviceAddress);
  writePrivate(join(dir, FILE), `${JSON.stringify(made, undefined, 2)}\n`);
  return made;
}

/** Whole or not at all, and for the owner's eyes only. */
export function writePrivate(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  // The mode above does not apply to a draft that a killed process left behind.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

function readKnown(path: string): ClusterCredentials | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isObject(value)) return undefined;
    const known = {
      ca: scalarTextAt(value, 'ca'),
      serverCert: scalarTextAt(value, 'serverCert'),
      serverKey: scalarTextAt(value, 'serverKey'),
      adminCert: scalarTextAt(value, 'adminCert'),
      adminKey: scalarTextAt(value, 'adminKey'),
      token: scalarTextAt(value, 'token'),
    };
    return Object.values(known).every((text) => text !== '') ? known : undefined;
  } catch {
    // Missing on the first start; damaged ones are made anew, because nothing else depends on the old ones.
    return undefined;
  }
}

function isFresh({ serverCert, adminCert }: ClusterCredentials, now: number): boolean {
  return [serverCert, adminCert].every((cert) => {
    try {
      return Date.parse(new X509Certificate(cert).validTo) - now > RENEW_BEFORE_MS;
    } catch {
      // Not a certificate.
      return false;
    }
  });
}

function makeCredentials(now: number, serviceAddress: string): ClusterCredentials {
  // An hour of tolerance for clocks that are a little behind.
  const validity = { notBefore: now - 3_600_000, notAfter: now + VALID_MS };
  const name = { commonName: 'pocket-ca' };
  const ca = newKeyPair();
  const issuer = { name, keys: ca };
  const issue = (request: Omit<CertificateRequest, 'notBefore' | 'notAfter'>): { cert: string; key: string } => {
    const keys = newKeyPair();
    return { cert: certify({ ...request, ...validity }, keys, issuer), key: privateKeyPem(keys) };
  };
  const server = issue({
    commonName: 'pocket-apiserver',
    usage: 'server',
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    addresses: ['127.0.0.1', serviceAddress],
  });
  const admin = issue({ commonName: 'pocket-admin', organization: 'system:masters', usage: 'client' });
  return {
    ca: certify({ ...name, ...validity, usage: 'ca' }, ca, issuer),
    serverCert: server.cert,
    serverKey: server.key,
    adminCert: admin.cert,
    adminKey: admin.key,
    token: randomBytes(32).toString('base64url'),
  };
}
