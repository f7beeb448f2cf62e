import { X509Certificate } from 'node:crypto';
import { messageOf } from '../../../base/index.ts';
import { Settings } from '../settings.ts';
import { shown } from '../shown.ts';

/** The keys of velero-plugin-for-aws. */
const KEYS = [
  'region',
  's3Url',
  'publicUrl',
  's3ForcePathStyle',
  'kmsKeyId',
  'serverSideEncryption',
  'customerKeyEncryptionFile',
  'customerKeyEncryptionSecret',
  'caCert',
  'insecureSkipTLSVerify',
  'profile',
  'credentialsFile',
  'enableSharedConfig',
  'checksumAlgorithm',
  'tagging',
  'signatureVersion',
] as const;

const CHECKSUMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
const PEM_END = '-----END CERTIFICATE-----';
const ENCRYPTIONS = ['AES256', 'aws:kms', 'aws:kms:dsse'] as const;

export interface S3Settings {
  region: string | undefined;
  s3Url: string | undefined;
  /** Replaces s3Url in download links. */
  publicUrl: string | undefined;
  forcePathStyle: boolean;
  kmsKeyId: string | undefined;
  serverSideEncryption: (typeof ENCRYPTIONS)[number] | undefined;
  /** A file with the 32-byte key that the server shall use for encryption. */
  customerKeyFile: string | undefined;
  /** The same in a Secret, as `name/key`; it is read by the code that opens the store. */
  customerKeySecret: string | undefined;
  caCert: string | undefined;
  insecureSkipTlsVerify: boolean;
  profile: string;
  credentialsFile: string | undefined;
  /** The credentials may name roles to assume, not only keys. */
  enableSharedConfig: boolean;
  /** Undefined for no checksums, which some stores need. */
  checksumAlgorithm: (typeof CHECKSUMS)[number] | undefined;
  tagging: string | undefined;
}

/** Throws `invalidConfig` with everything that is wrong. */
export function parseS3Settings(config: Readonly<Record<string, string>>, caCertPem?: string): S3Settings {
  const settings = new Settings('settings of an aws location', config, KEYS);
  const parsed: S3Settings = {
    region: settings.text('region'),
    s3Url: settings.url('s3Url'),
    publicUrl: settings.url('publicUrl'),
    forcePathStyle: settings.flag('s3ForcePathStyle'),
    kmsKeyId: settings.text('kmsKeyId'),
    serverSideEncryption: settings.choice('serverSideEncryption', ENCRYPTIONS),
    customerKeyFile: settings.text('customerKeyEncryptionFile'),
    customerKeySecret: settings.text('customerKeyEncryptionSecret'),
    caCert: caCertPem === undefined || caCertPem === '' ? settings.text('caCert') : caCertPem,
    insecureSkipTlsVerify: settings.flag('insecureSkipTLSVerify'),
    profile: settings.text('profile') ?? 'default',
    credentialsFile: settings.text('credentialsFile'),
    enableSharedConfig: settings.flag('enableSharedConfig'),
    // Empty means none; only an absent key means the default.
    checksumAlgorithm: settings.has('checksumAlgorithm') ? settings.choice('checksumAlgorithm', CHECKSUMS) : 'CRC32',
    tagging: settings.text('tagging'),
  };
  const keys = ['kmsKeyId', 'customerKeyEncryptionFile', 'customerKeyEncryptionSecret'];
  const chosen = keys.filter((key) => settings.text(key) !== undefined);
  if (chosen.length > 1) settings.problem(`${chosen.join(' and ')} exclude each other`);
  if (parsed.region !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(parsed.region)) {
    settings.problem(`region: expected letters, digits and "-", got ${shown(parsed.region)}`);
  }
  if ((settings.text('signatureVersion') ?? '4') !== '4') settings.problem('signatureVersion: only "4" is supported');
  checkTagging(settings, parsed.tagging);
  checkCertificates(settings, parsed.caCert);
  settings.check();
  return parsed;
}

function checkTagging(settings: Settings, tagging: string | undefined): void {
  if (tagging === undefined) return;
  const tags = tagging.split('&').map((pair) => pair.split('='));
  const isGood = tags.every(([key = '', value = '', ...rest]) => {
    return key !== '' && key.length <= 128 && value.length <= 256 && rest.length === 0;
  });
  if (!isGood)
    settings.problem('tagging: expected "key=value&key=value", keys up to 128 and values up to 256 characters');
  if (tags.length > 10) settings.problem(`tagging: at most 10 tags are possible, got ${tags.length}`);
}

function checkCertificates(settings: Settings, pem: string | undefined): void {
  if (pem === undefined) return;
  const blocks = pemBlocks(pem);
  if (blocks.length === 0) settings.problem('caCert: expected PEM certificates, found none');
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (error) {
      settings.problem(`caCert: a certificate cannot be read: ${messageOf(error)}`);
    }
  }
}

/** Not a regular expression, which would search for the end again from every beginning. */
function pemBlocks(pem: string): string[] {
  const blocks: string[] = [];
  for (let at = 0; ;) {
    const begin = pem.indexOf('-----BEGIN CERTIFICATE-----', at);
    const end = begin < 0 ? -1 : pem.indexOf(PEM_END, begin);
    if (end < 0) return blocks;
    at = end + PEM_END.length;
    blocks.push(pem.slice(begin, at));
  }
}
