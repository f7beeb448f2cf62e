import { AppError, isObject, messageOf, parseJson, textAt, type Json, type JsonObject } from '../../../base/index.ts';
import { decodeBase64, fromBytes } from '../template/index.ts';

/** Where the data of a Profile is, in the terms of a store. */
export interface ProfileStore {
  provider: 'aws' | 'headway.io/fs';
  bucket: string;
  config: Record<string, string>;
  credentialsIni?: string;
  /** For a directory: the one that the store must be in. */
  root?: string;
}

export interface ProfileLocation {
  store: ProfileStore;
  /** The key of what a path means, below the Profile's prefix; empty for all of it. */
  key: string;
}

const AWS_SECRET = 'secrets.kanister.io/aws';
const NOT_SUPPORTED: Readonly<Record<string, string>> = {
  gcs: 'Google Cloud Storage can be used as s3Compliant, with its HMAC keys and the endpoint https://storage.googleapis.com',
  azure: 'copy the data with the tools of Azure in the image',
  kopia: 'kopia API servers are not supported; use BackupData and RestoreData',
};

/** Reads a Profile as `toJson .Profile` writes it. Throws `invalid` or `unsupported`. */
export function readProfile(json: string, path: string): ProfileLocation {
  const profile = parse(json);
  const location = objectField(profile, 'Location', 'location');
  const type = textAt(location, 'type') ?? '';
  const key = joined(textAt(location, 'prefix') ?? '', path);
  if (type === 's3Compliant') return { store: s3Store(profile, location), key };
  if (type === 'headway.io/fs') return { store: fsStore(location), key };
  const why = Object.hasOwn(NOT_SUPPORTED, type) ? `: ${NOT_SUPPORTED[type] ?? ''}` : '';
  throw new AppError('unsupported', `Unsupported Location type: ${type === '' ? 'none' : type}${why}`);
}

function parse(json: string): JsonObject {
  try {
    const parsed = parseJson(json);
    if (isObject(parsed)) return parsed;
  } catch (error) {
    // The text has keys in it; only what is wrong is told.
    throw new AppError('invalid', `failed to unmarshal profile: ${withoutText(messageOf(error))}`);
  }
  throw new AppError('invalid', 'failed to unmarshal profile: expected an object');
}

/** Node quotes the text it could not read. */
function withoutText(message: string): string {
  return message.replace(/, ?(?:\.\.\.)?".*$/s, '').replace(/"[^]*"/, '…');
}

function missing(what: string, where: string): AppError {
  return new AppError('invalid', `the Profile has no ${what}: expected one in ${where}`);
}

/** Go reads names in any case. */
function objectField(object: JsonObject, ...names: string[]): JsonObject {
  for (const name of names) {
    const found = object[name];
    if (isObject(found)) return found;
  }
  return {};
}

/** Go's filepath.Join, and without the slash that keys of stores do not begin with. */
function joined(prefix: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${prefix}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function s3Store(profile: JsonObject, location: JsonObject): ProfileStore {
  const bucket = textAt(location, 'bucket');
  if (bucket === undefined) throw missing('bucket', 'location.bucket');
  const endpoint = textAt(location, 'endpoint');
  const url = endpoint === undefined || /^https?:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`;
  return {
    provider: 'aws',
    bucket,
    config: {
      region: textAt(location, 'region') ?? 'us-east-1',
      ...(url !== undefined && { s3Url: url.replace(/\/+$/, ''), s3ForcePathStyle: 'true' }),
      ...(isSet(profile['SkipSSLVerify']) && url?.startsWith('https') === true && { insecureSkipTLSVerify: 'true' }),
    },
    credentialsIni: credentialsIni(objectField(profile, 'Credential', 'credential')),
  };
}

function isSet(flag: Json | undefined): boolean {
  return flag === true;
}

interface Keys {
  id: string | undefined;
  secret: string | undefined;
  token?: string | undefined;
}

function credentialsIni(credential: JsonObject): string {
  const { id, secret, token } = keysOf(credential);
  if (id === undefined)
    throw missing('id', 'the Secret of credential, under the key that credential.keyPair.idField names');
  if (secret === undefined)
    throw missing('secret', 'the Secret of credential, under the key that credential.keyPair.secretField names');
  const lines = { aws_access_key_id: id, aws_secret_access_key: secret, aws_session_token: token };
  return [
    '[default]',
    ...Object.entries(lines).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (/[\r\n]/.test(value)) throw new AppError('invalid', `${name} of the Profile has more than one line`);
      return [`${name}=${value}`];
    }),
    '',
  ].join('\n');
}

function keysOf(credential: JsonObject): Keys {
  const pair = objectField(credential, 'KeyPair', 'keyPair');
  const type = textAt(credential, 'Type') ?? textAt(credential, 'type');
  if (type !== 'secret')
    return { id: textAt(pair, 'ID') ?? textAt(pair, 'id'), secret: textAt(pair, 'Secret') ?? textAt(pair, 'secret') };
  const secret = objectField(credential, 'Secret', 'secret');
  const kind = textAt(secret, 'type') ?? '';
  if (kind !== AWS_SECRET)
    throw new AppError('unsupported', `expected a Secret of type ${AWS_SECRET}, got ${kind === '' ? 'none' : kind}`);
  const read = (name: string): string | undefined => dataOf(secret, name);
  if (read('role') !== undefined)
    throw new AppError('unsupported', 'roles are not supported in pods; give keys, or keys with a session token');
  return { id: read('aws_access_key_id'), secret: read('aws_secret_access_key'), token: read('aws_session_token') };
}

function dataOf(secret: JsonObject, name: string): string | undefined {
  const content = textAt(secret, 'data', name);
  const decoded = content === undefined ? { problem: '' } : decodeBase64(content);
  return 'bytes' in decoded ? fromBytes(decoded.bytes).trim() : undefined;
}

function fsStore(location: JsonObject): ProfileStore {
  const root = textAt(location, 'endpoint')?.replace(/^file:\/\//, '');
  const bucket = textAt(location, 'bucket');
  if (root === undefined || !root.startsWith('/')) {
    throw new AppError(
      'invalid',
      'a Profile of type headway.io/fs needs the directory as its endpoint, such as /var/backups',
    );
  }
  if (bucket === undefined) throw missing('bucket', 'location.bucket, as the name of a folder in its directory');
  return { provider: 'headway.io/fs', bucket, config: {}, root };
}
