import { dirname, resolve } from 'node:path';
import { AppError, type Clock } from '../../../base/index.ts';
import type { Connection, TlsSettings } from './connection.ts';
import { bearer, staticCredential, tokenFileCredential, type CredentialSource } from './credentials.ts';
import { execCredential } from './exec-plugin.ts';
import type { Fields } from './fields.ts';
import type { Entry } from './kubeconfig-file.ts';
import { openIdCredential } from './open-id.ts';
import { readPem } from './pem.ts';
import type { Environment } from './proxy.ts';

interface Identity {
  tls: Pick<TlsSettings, 'cert' | 'key'>;
  credentials: CredentialSource;
  headers: Connection['headers'];
}
interface Deps {
  clock: Clock;
  env: Environment;
}
interface Cluster {
  label: string;
  server: string;
  tls: TlsSettings;
}

/** A context without a user is anonymous. */
export async function readUser(deps: Deps, user: Entry | undefined, cluster: Cluster): Promise<Identity> {
  if (user === undefined) return { tls: {}, credentials: staticCredential({}), headers: {} };
  const cert = await readPem(user, 'client-certificate', cluster.label);
  const key = await readPem(user, 'client-key', cluster.label);
  return {
    tls: { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) },
    credentials: await readCredentials(deps, user, cluster),
    headers: impersonation(user.fields),
  };
}

async function readCredentials(deps: Deps, user: Entry, cluster: Cluster): Promise<CredentialSource> {
  const { fields } = user;
  const methods = [
    fields.has('exec') ? 'exec' : '',
    fields.has('auth-provider') ? 'auth-provider' : '',
    fields.text('token') === undefined && fields.text('tokenFile') === undefined ? '' : 'token',
    fields.text('username') === undefined ? '' : 'username',
  ].filter((method) => method !== '');
  if (methods.length > 1) {
    throw new AppError('invalidConfig', `${fields.where} has more than one way to authenticate: ${methods.join(', ')}`);
  }
  switch (methods[0]) {
    case 'exec': {
      const { ca, insecure, serverName } = cluster.tls;
      return execCredential(deps, user, {
        server: cluster.server,
        insecure,
        ...(ca === undefined ? {} : { ca }),
        ...(serverName === undefined ? {} : { serverName }),
      });
    }
    case 'auth-provider':
      return openIdCredential(deps.clock, user, cluster.label);
    case 'token':
      return tokenCredential(deps.clock, user, cluster.label);
    case 'username':
      return staticCredential(basic(fields));
    default:
      return staticCredential({});
  }
}

function tokenCredential(clock: Clock, user: Entry, label: string): CredentialSource {
  const token = user.fields.text('token');
  const file = user.fields.text('tokenFile');
  if (file === undefined) return staticCredential(bearer(token ?? ''));
  const path = resolve(dirname(user.file), file);
  return tokenFileCredential(clock, { path, label, ...(token === undefined ? {} : { fallback: token }) });
}

function basic(fields: Fields): Record<string, string> {
  const pair = `${fields.text('username') ?? ''}:${fields.text('password') ?? ''}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function impersonation(fields: Fields): Connection['headers'] {
  const as = fields.text('as');
  const uid = fields.text('as-uid');
  const groups = fields.texts('as-groups');
  const extra = fields.child('as-user-extra');
  if (as === undefined) {
    if (uid === undefined && groups.length === 0 && extra.keys().length === 0) return {};
    throw new AppError('invalidConfig', `${fields.where} impersonates a uid, groups or extras without a user ("as")`);
  }
  return {
    'impersonate-user': as,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      extra.keys().map((key) => [`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, extra.texts(key)]),
    ),
  };
}
