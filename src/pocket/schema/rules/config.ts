import { isObject, type Json, type JsonObject } from '../../../base/index.ts';
import { invalid, required, tooLong, type FieldError } from '../field-error.ts';
import { frozenData, immutable, stringAt, type Rule } from './rule.ts';

const CONFIG_KEY = /^[-._a-zA-Z0-9]+$/;
const CONFIG_KEY_TEXT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
  "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const MAX_DATA_BYTES = 1024 * 1024;

function validateKeys(map: Json | undefined, field: string): FieldError[] {
  if (!isObject(map)) return [];
  return Object.keys(map)
    .filter((key) => !CONFIG_KEY.test(key))
    .map((key) => invalid(`${field}[${key}]`, key, CONFIG_KEY_TEXT));
}

function dataBytes(map: Json | undefined, isBase64: boolean): number {
  if (!isObject(map)) return 0;
  const sizes = Object.values(map).map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value, isBase64 ? 'base64' : 'utf8') : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

export const configMapRule: Rule = (object, old) => {
  const text = isObject(object['data']) ? object['data'] : {};
  const binary = isObject(object['binaryData']) ? object['binaryData'] : {};
  const both = Object.keys(binary).filter((key) => Object.hasOwn(text, key));
  const size = dataBytes(text, false) + dataBytes(binary, true);
  return [
    ...validateKeys(text, 'data'),
    ...both.map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...validateKeys(binary, 'binaryData'),
    ...(size > MAX_DATA_BYTES ? [tooLong('', MAX_DATA_BYTES)] : []),
    ...frozenData(object, old, ['data', 'binaryData']),
  ];
};

const SECRET_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';

/** Secrets that someone else is to read. */
function neededByType(object: JsonObject, data: JsonObject): FieldError[] {
  const type = stringAt(object, 'type');
  const isNameless = stringAt(object, 'metadata', 'annotations', ACCOUNT_NAME) === '';
  if (type === 'kubernetes.io/service-account-token' && isNameless) {
    return [required(`metadata.annotations[${ACCOUNT_NAME}]`)];
  }
  const isOpen = data['username'] === undefined && data['password'] === undefined;
  return type === 'kubernetes.io/basic-auth' && isOpen
    ? ['username', 'password'].map((key) => required(`data[${key}]`))
    : [];
}

export const secretRule: Rule = (object, old) => {
  const data = isObject(object['data']) ? object['data'] : {};
  const needed = SECRET_KEYS[stringAt(object, 'type')] ?? [];
  return [
    ...validateKeys(data, 'data'),
    ...(dataBytes(data, true) > MAX_DATA_BYTES ? [tooLong('data', MAX_DATA_BYTES)] : []),
    ...needed.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`)),
    ...neededByType(object, data),
    ...immutable(object, old, ['type']),
    ...frozenData(object, old, ['data']),
  ];
};
