import { describe, expect, it } from 'vitest';
import { NO_LOG } from '../../../base/index.ts';
import { openStore } from '../index.ts';
import { parseS3Settings } from './s3-settings.ts';

describe('settings of an aws location', () => {
  it('have defaults', () => {
    expect(parseS3Settings({})).toMatchObject({
      region: undefined,
      forcePathStyle: false,
      insecureSkipTlsVerify: false,
      profile: 'default',
      checksumAlgorithm: 'CRC32',
    });
  });

  it('are those of velero-plugin-for-aws', () => {
    const config = {
      region: 'eu-central-1',
      s3Url: 'https://s3.example.com:9000',
      publicUrl: 'https://public.example.com',
      s3ForcePathStyle: 'True',
      serverSideEncryption: 'AES256',
      insecureSkipTLSVerify: '1',
      profile: 'other',
      credentialsFile: '/creds',
      enableSharedConfig: 't',
      checksumAlgorithm: '',
      tagging: 'a=b&c=d',
      signatureVersion: '4',
      kmsKeyId: 'alias/x',
    };
    expect(parseS3Settings(config)).toEqual({
      region: 'eu-central-1',
      s3Url: 'https://s3.example.com:9000',
      publicUrl: 'https://public.example.com',
      forcePathStyle: true,
      kmsKeyId: 'alias/x',
      serverSideEncryption: 'AES256',
      customerKeyFile: undefined,
      customerKeySecret: undefined,
      caCert: undefined,
      insecureSkipTlsVerify: true,
      profile: 'other',
      credentialsFile: '/creds',
      enableSharedConfig: true,
      checksumAlgorithm: undefined,
      tagging: 'a=b&c=d',
    });
  });

  it.each([
    [{ s3url: 'x' }, 'unknown key "s3url"'],
    [{ s3Url: 'minio:9000' }, 's3Url: expected a URL'],
    [{ s3Url: 'https://user:hunter2@host' }, 'with a user or password is not allowed'],
    [{ s3Url: 'ftp://user:hunter2@host' }, 's3Url: expected a URL with http:// or https://, got something else'],
    [{ s3Url: 'user:hunter2@host:9000' }, 's3Url: expected a URL with http:// or https://, got something else'],
    [{ s3Url: 'https:///user:hunter2@' }, 's3Url: expected a URL with http:// or https://, got something else'],
    [{ publicUrl: '//user:hunter2@host' }, 'publicUrl: expected a URL with http:// or https://, got something else'],
    [{ region: 'https://user:hunter2@host' }, 'region: expected letters'],
    [{ s3ForcePathStyle: 'https://user:hunter2@host' }, 'got a value with "@", which is not shown'],
    [{ 'https://user:hunter2@host': 'x' }, 'unknown key a value with "@", which is not shown'],
    [{ publicUrl: 'https://host/?a=b' }, 'publicUrl: a URL with "?"'],
    [{ s3ForcePathStyle: 'yes' }, 's3ForcePathStyle: expected "true" or "false", got "yes"'],
    [{ checksumAlgorithm: 'MD4' }, 'checksumAlgorithm: expected one of CRC32'],
    [{ serverSideEncryption: 'rot13' }, 'serverSideEncryption: expected one of AES256'],
    [{ signatureVersion: '1' }, 'signatureVersion: only "4"'],
    [{ kmsKeyId: 'a', customerKeyEncryptionFile: 'b' }, 'kmsKeyId and customerKeyEncryptionFile exclude each other'],
    [{ tagging: 'a=b&c' + '&d=e=f' }, 'tagging: expected'],
    [{ tagging: Array.from({ length: 11 }, (_, i) => `k${i}=v`).join('&') }, 'at most 10 tags'],
    [{ caCert: 'no pem' }, 'caCert: expected PEM'],
    [
      { caCert: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      'caCert: a certificate cannot be read',
    ],
    [{ region: 'eu west' }, 'region: expected letters'],
  ])('%j are refused', (config, message) => {
    expect(() => parseS3Settings(config)).toThrow(message);
    expect(() => parseS3Settings(config)).not.toThrow('hunter2');
  });

  it('that are wrong in a thousand ways fit into a status', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}\u001b`.repeat(50), 'x']));
    const error = thrownBy(() => parseS3Settings(many));
    expect(error).toMatch(/and 4990 more; known keys are region, /);
    expect(error.length).toBeLessThan(3000);
    expect(error).not.toContain('\u001b');
  });

  it('are all judged before any is told', () => {
    expect(() => parseS3Settings({ one: '1', two: '2', s3Url: 'x' })).toThrow(/"one".*"two".*s3Url/);
  });
});

function thrownBy(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}

describe('a location', () => {
  const open = (change: object) => openStore({ provider: 'aws', bucket: 'b', ...change }, { log: NO_LOG });

  it.each([
    [{ provider: 'gcp' }, 'provider of a location: expected aws or headway.io/fs, got "gcp"'],
    [{ bucket: 'a/b' }, '"a/b" is not a bucket'],
    [{ prefix: 'a/../b' }, 'prefix of a location: it contains the component ".."'],
    [{ config: { bad: '' } }, 'unknown key "bad"'],
    [{ credentialsIni: '[other]\na=b' }, 'expected profile "default", found other'],
    [{ credentialsIni: '[default]\naws_access_key_id=x' }, 'needs aws_access_key_id and aws_secret_access_key'],
    [{ bucket: 'https://user:hunter2@host/b' }, 'bucket of a location: a value with "@", which is not shown'],
    [{ config: { customerKeyEncryptionSecret: 'a/b' } }, 'expected 32 bytes, no key was read'],
    [{ provider: 'headway.io/fs' }, 'not enabled, start with --fs-root'],
  ])('%j is refused', async (change, message) => {
    await expect(open(change)).rejects.toThrow(message);
    await expect(open(change)).rejects.toMatchObject({ code: 'invalidConfig' });
    await expect(open(change)).rejects.not.toThrow('hunter2');
  });
});
