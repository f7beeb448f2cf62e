import { createSecureContext } from 'node:tls';
import { AppError, messageOf } from '../../../base/index.ts';
import type { TlsSettings } from '../config/connection.ts';

/** The part of Node's TLS options that this folder uses; undici, ws and https.Agent all accept them. */
export interface TlsOptions {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized: boolean;
}

/**
 * Node's options for a connection's settings, checked now so that a broken PEM is not discovered at the first request.
 */
export function tlsOptions(tls: TlsSettings, label: string): TlsOptions {
  requirePem(tls.ca, 'certificate authority', label);
  requirePem(tls.cert, 'client certificate', label);
  requirePem(tls.key, 'client key', label);
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    const [has, lacks] = tls.cert === undefined ? ['key', 'certificate'] : ['certificate', 'key'];
    throw new AppError('invalidConfig', `${label} has a client ${has} but no client ${lacks}`);
  }
  const options: TlsOptions = {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: tls.key }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    rejectUnauthorized: !tls.insecure,
  };
  try {
    createSecureContext(options);
  } catch (error) {
    throw new AppError('invalidConfig', `the certificates of ${label} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return options;
}

function requirePem(pem: string | undefined, what: string, label: string): void {
  if (pem !== undefined && !pem.includes('-----BEGIN ')) {
    throw new AppError('invalidConfig', `the ${what} of ${label} is not PEM, expected a "-----BEGIN …" block`);
  }
}
