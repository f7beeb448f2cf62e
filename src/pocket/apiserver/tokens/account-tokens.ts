import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject, valueAt } from '../../../base/index.ts';
import { scalarTextAt } from '../object/index.ts';
import type { ObjectStore } from '../store/index.ts';

export interface AccountUser {
  name: string;
  groups: readonly string[];
}

export interface IssuedToken {
  token: string;
  expiresAt: number;
}

interface Deps {
  /** A secret of this cluster; tokens end with it. */
  secret: string;
  store: ObjectStore;
  now: () => number;
}

const HEADER = encode({ alg: 'HS256', typ: 'JWT' });

/** JSON Web Tokens, as a real cluster has them. One ends with its time, or with its account. */
export class AccountTokens {
  readonly #deps: Deps;
  readonly #key: Buffer;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#key = createHmac('sha256', deps.secret).update('tokens of service accounts').digest();
  }

  issue(namespace: string, name: string, seconds: number): IssuedToken {
    const issuedAt = Math.floor(this.#deps.now() / 1000);
    const claims = { iss: 'pocket', namespace, name, uid: this.#uidOf(namespace, name), iat: issuedAt };
    const signed = `${HEADER}.${encode({ ...claims, sub: userName(namespace, name), exp: issuedAt + seconds })}`;
    return { token: `${signed}.${this.#signature(signed)}`, expiresAt: (issuedAt + seconds) * 1000 };
  }

  /** Undefined for one that is not ours, has ended, or names an account that is gone. */
  identify(token: string): AccountUser | undefined {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const expected = Buffer.from(this.#signature(`${header}.${payload}`));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(claims)) return undefined;
    const [namespace, name] = [scalarTextAt(claims, 'namespace'), scalarTextAt(claims, 'name')];
    const isOver = Number(valueAt(claims, 'exp')) * 1000 <= this.#deps.now();
    const uid = this.#uidOf(namespace, name);
    if (isOver || uid === '' || uid !== scalarTextAt(claims, 'uid')) return undefined;
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    return { name: userName(namespace, name), groups };
  }

  #uidOf(namespace: string, name: string): string {
    const account = this.#deps.store.get('serviceaccounts', namespace, name);
    return account === undefined ? '' : (account.object.metadata.uid ?? '');
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}

function userName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
