import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { bitString, context, integer, isTrue, objectId, octetString, sequence, set, time, utf8 } from './der.ts';

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export interface CertificateRequest {
  commonName: string;
  organization?: string;
  notBefore: number;
  notAfter: number;
  usage: 'ca' | 'server' | 'client';
  dnsNames?: readonly string[];
  /** IPv4 in dotted form. */
  addresses?: readonly string[];
}

const OID = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const;

export function newKeyPair(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

/** An X.509 certificate in PEM for `keys`, signed by `issuer`; a CA signs itself. */
export function certify(
  request: CertificateRequest,
  keys: KeyPair,
  issuer: { name: Pick<CertificateRequest, 'commonName' | 'organization'>; keys: KeyPair },
): string {
  const algorithm = sequence(objectId(OID.ecdsaWithSha256));
  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    // The first byte is kept positive and not zero, so that the number has one form only.
    integer(Buffer.concat([Buffer.from([0x4d]), randomBytes(15)])),
    algorithm,
    nameOf(issuer.name),
    sequence(time(request.notBefore), time(request.notAfter)),
    nameOf(request),
    publicKeyOf(keys),
    context(3, sequence(...extensionsOf(request, keys, issuer.keys))),
  );
  const signature = sign('sha256', body, { key: issuer.keys.privateKey, dsaEncoding: 'der' });
  return pem('CERTIFICATE', sequence(body, algorithm, bitString(signature)));
}

export function privateKeyPem({ privateKey }: KeyPair): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function nameOf({ commonName, organization }: Pick<CertificateRequest, 'commonName' | 'organization'>): Buffer {
  const part = (id: string, value: string): Buffer => set(sequence(objectId(id), utf8(value)));
  const own = part(OID.commonName, commonName);
  return organization === undefined ? sequence(own) : sequence(part(OID.organization, organization), own);
}

function publicKeyOf({ publicKey }: KeyPair): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function keyIdOf(keys: KeyPair): Buffer {
  return createHash('sha1').update(publicKeyOf(keys)).digest();
}

function extensionsOf(request: CertificateRequest, keys: KeyPair, issuerKeys: KeyPair): Buffer[] {
  const isCa = request.usage === 'ca';
  // Bits: 0 digitalSignature; 5 keyCertSign and 6 cRLSign.
  const keyUsage = isCa ? bitString(Buffer.from([0b0000_0110]), 1) : bitString(Buffer.from([0b1000_0000]), 7);
  const extensions = [
    extension(OID.basicConstraints, isCa ? sequence(isTrue()) : sequence(), true),
    extension(OID.keyUsage, keyUsage, true),
    extension(OID.subjectKeyId, octetString(keyIdOf(keys))),
    extension(OID.authorityKeyId, sequence(context(0, keyIdOf(issuerKeys), false))),
  ];
  if (!isCa) {
    const purpose = request.usage === 'server' ? OID.serverAuth : OID.clientAuth;
    extensions.push(extension(OID.extendedKeyUsage, sequence(objectId(purpose))));
  }
  const names = [
    ...(request.dnsNames ?? []).map((name) => context(2, Buffer.from(name), false)),
    ...(request.addresses ?? []).map((address) => context(7, Buffer.from(address.split('.').map(Number)), false)),
  ];
  if (names.length > 0) extensions.push(extension(OID.subjectAltName, sequence(...names)));
  return extensions;
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  return isCritical ? sequence(objectId(id), isTrue(), octetString(value)) : sequence(objectId(id), octetString(value));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
