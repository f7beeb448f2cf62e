import { isObject } from '../../../base/index.ts';
import { badRequest } from '../errors/index.ts';

const TOKEN_VERSION = 'meta.k8s.io/v1';
const LONGEST_TOKEN = 4096;

export interface ContinueToken {
  rv: number;
  /** The first key of the next page, relative to the list. */
  start: string;
}

export function encodeContinue({ rv, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: TOKEN_VERSION, rv, start })).toString('base64url');
}

export function decodeContinue(token: string): ContinueToken {
  if (token.length > LONGEST_TOKEN) throw badRequest('invalid continue token: too long');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
  } catch {
    throw badRequest('invalid continue token: not base64 of JSON');
  }
  if (!isObject(value)) throw badRequest('invalid continue token: not a JSON object');
  const { v, rv, start } = value;
  if (v !== TOKEN_VERSION) throw badRequest('invalid continue token: server does not recognize this encoded version');
  if (typeof start !== 'string' || typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv < -1) {
    throw badRequest('invalid continue token: rv or start is missing');
  }
  return { rv, start };
}
