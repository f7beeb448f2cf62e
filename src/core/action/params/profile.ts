import type { Profile } from '../../../api/kanister/profile.ts';
import { AppError, isObject, own, textAt, type JsonObject } from '../../../base/index.ts';
import {
  BOOL,
  INT,
  Int,
  Pointer,
  STRING,
  fromBytes,
  mapFrom,
  mapOf,
  pointerTo,
  struct,
  type Field,
  type Type,
  type Value,
} from '../template/index.ts';
import { SECRET, fromBase64, secretValue } from './kube-types.ts';

const field = (name: string, type: Type = STRING): Field => ({ name, type });
/** These have names in JSON; the structs around them have none, and are written as Go names them. */
const LOCATION: Type = {
  kind: 'struct',
  text: 'v1alpha1.Location',
  fields: ['Type', 'Bucket', 'Endpoint', 'Prefix', 'Region'].map((name) => ({
    ...field(name),
    json: name.toLowerCase(),
  })),
};
const KEY_PAIR: Type = { kind: 'struct', text: 'param.KeyPair', fields: [field('ID'), field('Secret')] };
const CONNECT_OPTIONS = mapOf(INT);
const KOPIA: Type = {
  kind: 'struct',
  text: 'param.KopiaServerCreds',
  fields: [
    ...['Username', 'Hostname', 'Password', 'Cert'].map((name) => field(name)),
    field('ConnectOptions', CONNECT_OPTIONS),
  ],
};
const CREDENTIAL: Type = {
  kind: 'struct',
  text: 'param.Credential',
  fields: [
    field('Type'),
    field('KeyPair', pointerTo(KEY_PAIR)),
    field('Secret', pointerTo(SECRET)),
    field('KopiaServerSecret', pointerTo(KOPIA)),
  ],
};
export const PROFILE: Type = {
  kind: 'struct',
  text: 'param.Profile',
  fields: [field('Location', LOCATION), field('Credential', CREDENTIAL), field('SkipSSLVerify', BOOL)],
};

/** A Secret that a Profile refers to. */
export interface SecretReference {
  namespace: string;
  name: string;
}

type Reference = { namespace?: string | undefined; name?: string | undefined } | undefined;
const referTo = (reference: Reference): SecretReference => ({
  namespace: reference?.namespace ?? '',
  name: reference?.name ?? '',
});

/** The Secrets that have to be read before the Profile can be used. */
export function profileSecrets({ credential = {} }: Pick<Profile, 'credential'>): SecretReference[] {
  const { keyPair, secret, kopiaServerSecret } = credential;
  switch (credential.type) {
    case 'keyPair':
      return keyPair === undefined ? [] : [referTo(keyPair.secret)];
    case 'secret':
      return secret === undefined ? [] : [referTo(secret)];
    case 'kopia':
      return [kopiaServerSecret?.userPassphrase?.secret, kopiaServerSecret?.tlsCert?.secret]
        .filter((reference) => reference !== undefined)
        .map(referTo);
    default:
      return [];
  }
}

export interface ProfileOptions {
  /** The Secrets of `profileSecrets`, as they were read. */
  secrets: (reference: SecretReference) => JsonObject;
  /** For dry runs: no value of a Secret is shown. */
  isMasked: boolean;
}

/** `.Profile` of templates. Throws `invalid` in upstream's words for credentials that are not there. */
export function profileValue(profile: Profile, options: ProfileOptions): Value {
  const { location = {}, skipSSLVerify = false } = profile;
  return struct(PROFILE, {
    Location: struct(LOCATION, {
      Type: location.type ?? '',
      Bucket: location.bucket ?? '',
      Endpoint: location.endpoint ?? '',
      Prefix: location.prefix ?? '',
      Region: location.region ?? '',
    }),
    Credential: credentialValue(profile, options),
    SkipSSLVerify: skipSSLVerify,
  });
}

function credentialValue(profile: Profile, options: ProfileOptions): Value {
  const { credential = {} } = profile;
  const { type = '' } = credential;
  switch (type) {
    case 'keyPair':
      return struct(CREDENTIAL, { Type: type, KeyPair: keyPair(credential.keyPair, options) });
    case 'secret': {
      if (credential.secret === undefined) throw new AppError('invalid', 'Secret reference cannot be nil');
      const secret = options.secrets(referTo(credential.secret));
      return struct(CREDENTIAL, { Type: type, Secret: new Pointer(pointerTo(SECRET), secretValue(secret, options)) });
    }
    case 'kopia':
      return struct(CREDENTIAL, { Type: type, KopiaServerSecret: kopia(credential.kopiaServerSecret, options) });
    default:
      throw new AppError('invalid', `CredentialType '${type}' not supported`);
  }
}

type KeyPairReference = NonNullable<NonNullable<Profile['credential']>['keyPair']> | undefined;
type KopiaReference = NonNullable<NonNullable<Profile['credential']>['kopiaServerSecret']> | undefined;

function keyPair(reference: KeyPairReference, options: ProfileOptions): Value {
  if (reference === undefined) throw new AppError('invalid', 'KVSecret cannot be nil');
  const secret = options.secrets(referTo(reference.secret));
  const { idField = '', secretField = '' } = reference;
  return new Pointer(
    pointerTo(KEY_PAIR),
    struct(KEY_PAIR, {
      ID: dataOf(secret, idField, 'Key'),
      // Looked up in any case, so that what is missing is told in a dry run too.
      Secret: options.isMasked ? masked(dataOf(secret, secretField, 'Value')) : dataOf(secret, secretField, 'Value'),
    }),
  );
}

function kopia(reference: KopiaReference, options: ProfileOptions): Value {
  const { username = '', hostname = '', userPassphrase, tlsCert, connectOptions } = reference ?? {};
  if (userPassphrase === undefined) throw new AppError('invalid', 'UserPassphrase cannot be nil');
  if (tlsCert === undefined) throw new AppError('invalid', 'TLSCert cannot be nil');
  const read = ({ key = '', secret }: typeof tlsCert): string => {
    const content = dataOf(options.secrets(referTo(secret)), key, 'Key');
    return options.isMasked ? masked(content) : content;
  };
  return new Pointer(
    pointerTo(KOPIA),
    struct(KOPIA, {
      Username: username,
      Hostname: hostname,
      Password: read(userPassphrase),
      Cert: read(tlsCert),
      ...(connectOptions !== undefined && {
        ConnectOptions: mapFrom(CONNECT_OPTIONS, connectOptions, (value) => new Int(INT, BigInt(value))),
      }),
    }),
  );
}

function masked(content: string): string {
  return content === '' ? '' : '***';
}

function dataOf(secret: JsonObject, key: string, what: 'Key' | 'Value'): string {
  const data = secret['data'];
  const content = isObject(data) ? own(data, key) : undefined;
  if (content === undefined) {
    const name = `${textAt(secret, 'metadata', 'namespace') ?? ''}:${textAt(secret, 'metadata', 'name') ?? ''}`;
    throw new AppError('invalid', `${what} '${key}' not found in secret '${name}'`);
  }
  return fromBytes(fromBase64(content));
}
