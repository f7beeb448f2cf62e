import { Agent } from 'undici';
import {
  AppError,
  isAppError,
  isObject,
  messageOf,
  parseJson,
  textAt,
  type Clock,
  type JsonObject,
} from '../../../base/index.ts';
import { textListAt } from '../text-list.ts';
import { readBody } from '../transport/body.ts';
import { bearer, cachedCredential, type CredentialSource } from './credentials.ts';
import type { Entry } from './kubeconfig-file.ts';
import { readPem } from './pem.ts';

const LEEWAY_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

interface Client {
  where: string;
  issuer: string;
  id: string;
  secret: string | undefined;
  ca: string | undefined;
}

/**
 * A user with the auth-provider `oidc`: an id-token, and a refresh-token to get the next one. Done by us, because
 * client-node 2.0.1 cannot refresh (it passes openid-client a string instead of a URL, and its own response object
 * instead of a Response). If the identity provider replaces the refresh-token, the new one is kept in memory only; the
 * kubeconfig file is not written.
 */
export async function openIdCredential(clock: Clock, user: Entry, label: string): Promise<CredentialSource> {
  const provider = user.fields.child('auth-provider');
  const name = provider.text('name');
  if (name !== 'oidc') {
    const got = name === undefined ? 'none' : `"${name}"`;
    throw new AppError('invalidConfig', `${provider.where}: expected the provider "oidc", got ${got}; others use exec`);
  }
  const config = provider.child('config');
  const client: Client = {
    where: provider.where,
    issuer: config.text('idp-issuer-url') ?? '',
    id: config.text('client-id') ?? '',
    secret: config.text('client-secret'),
    ca: await readPem({ file: user.file, fields: config }, 'idp-certificate-authority', label),
  };
  let idToken = config.text('id-token');
  let refreshToken = config.text('refresh-token');
  return cachedCredential(clock, async (signal) => {
    if (idToken === undefined || expiryOf(idToken) <= clock.now()) {
      if (refreshToken === undefined || client.issuer === '' || client.id === '') throw cannotRefresh(client);
      const tokens = await refresh(client, refreshToken, signal);
      idToken = tokens.idToken;
      refreshToken = tokens.refreshToken ?? refreshToken;
    }
    return { credential: { headers: bearer(idToken) }, until: expiryOf(idToken) };
  });
}

function cannotRefresh(client: Client): AppError {
  const needs = 'refreshing it needs refresh-token, client-id and idp-issuer-url';
  return new AppError('unauthenticated', `${client.where}: the id-token is missing or has expired, and ${needs}`);
}

/** Milliseconds since 1970, shortly before the token expires; 0 when it does not say. */
function expiryOf(idToken: string): number {
  try {
    const claims = parseJson(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return isObject(claims) && typeof claims['exp'] === 'number' ? claims['exp'] * 1000 - LEEWAY_MS : 0;
  } catch {
    // Not a JWT: ask the provider for a proper one.
    return 0;
  }
}

async function refresh(
  client: Client,
  refreshToken: string,
  signal: AbortSignal,
): Promise<{ idToken: string; refreshToken: string | undefined }> {
  const dispatcher = new Agent(client.ca === undefined ? {} : { connect: { ca: client.ca } });
  const ask = (url: string, form?: Form): Promise<JsonObject> => askProvider(client, { url, form, dispatcher, signal });
  try {
    const about = await ask(`${client.issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`);
    const endpoint = textAt(about, 'token_endpoint');
    if (endpoint === undefined) throw refused(client, 'its configuration names no token_endpoint');
    const answer = await ask(
      endpoint,
      grant(client, refreshToken, textListAt(about, 'token_endpoint_auth_methods_supported')),
    );
    const idToken = textAt(answer, 'id_token');
    if (idToken === undefined) throw refused(client, 'its answer holds no id_token');
    return { idToken, refreshToken: textAt(answer, 'refresh_token') };
  } finally {
    await dispatcher.destroy();
  }
}

interface Form {
  body: string;
  headers: Record<string, string>;
}

/** The secret goes into the header, the standard's default, unless the provider only accepts it in the form. */
function grant(client: Client, refreshToken: string, methods: readonly string[]): Form {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (client.secret === undefined) {
    form.set('client_id', client.id);
  } else if (methods.includes('client_secret_post') && !methods.includes('client_secret_basic')) {
    form.set('client_id', client.id);
    form.set('client_secret', client.secret);
  } else {
    const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return { body: form.toString(), headers };
}

async function askProvider(
  client: Client,
  call: { url: string; form: Form | undefined; dispatcher: Agent; signal: AbortSignal },
): Promise<JsonObject> {
  const { url, form, dispatcher, signal } = call;
  try {
    const { origin, pathname, search } = new URL(url);
    const method = form === undefined ? 'GET' : 'POST';
    const answer = await dispatcher.request({ origin, path: `${pathname}${search}`, method, ...form, signal });
    const text = await readBody(answer.body, undefined, MAX_BYTES);
    const body = parseJson(text);
    if (answer.statusCode !== 200 || !isObject(body)) {
      const reason = isObject(body) ? textAt(body, 'error') : undefined;
      throw refused(client, `${url} answered ${String(answer.statusCode)}: ${reason ?? 'no reason given'}`);
    }
    return body;
  } catch (error) {
    if (isAppError(error)) throw error;
    // The parser's message would quote the answer, which may contain tokens.
    const cause = error instanceof SyntaxError ? 'the answer is not JSON' : messageOf(error);
    throw refused(client, `${url}: ${cause}`, error instanceof SyntaxError ? undefined : error);
  }
}

function refused(client: Client, why: string, cause?: unknown): AppError {
  const message = `${client.where}: cannot refresh the id-token with ${client.issuer}: ${why}`;
  return new AppError('unauthenticated', message, cause === undefined ? {} : { cause });
}
