import { isIP } from 'node:net';
import { certify, newKeyPair, privateKeyPem } from '../../src/pocket/apiserver/tls/certificate.ts';

const DAY_MS = 86_400_000;

export interface PemPair {
  cert: string;
  key: string;
}

export interface Subject {
  commonName: string;
  organization?: string;
  /** Names or IPv4 addresses of a server; a client has none. */
  hosts?: readonly string[];
  /** Makes a certificate that ended yesterday. */
  expired?: boolean;
}

export interface Authority extends PemPair {
  /** The certificate clients trust; the same as `cert`. */
  ca: string;
  issue(subject: Subject): PemPair;
}

/** An authority for one test run, made with what pocket makes its own with. */
export function makeAuthority(commonName = 'scripted authority'): Authority {
  const keys = newKeyPair();
  const name = { commonName };
  const issuer = { name, keys };
  const valid = (endDays: number): { notBefore: number; notAfter: number } => ({
    // Two days back, for one that ended yesterday, and for a clock that is set right while the tests run.
    notBefore: Date.now() - 2 * DAY_MS,
    notAfter: Date.now() + endDays * DAY_MS,
  });
  const ca = certify({ ...name, usage: 'ca', ...valid(365) }, keys, issuer);
  return {
    ca,
    cert: ca,
    key: privateKeyPem(keys),
    issue: ({ hosts = [], expired = false, ...subject }) => {
      const own = newKeyPair();
      const request = {
        ...subject,
        ...valid(expired ? -1 : 300),
        usage: hosts.length === 0 ? 'client' : 'server',
        dnsNames: hosts.filter((host) => isIP(host) === 0),
        addresses: hosts.filter((host) => isIP(host) === 4),
      } as const;
      return { cert: certify(request, own, issuer), key: privateKeyPem(own) };
    },
  };
}
