import type { S3Client } from '@aws-sdk/client-s3';
import { AppError, cleanText } from '../../../base/index.ts';
import { type CredentialRules, readBelowRoot } from '../credentials-root.ts';
import { within } from '../deadline.ts';
import type { Keys } from './keys.ts';
import type { Role } from './role.ts';

/** What is needed to ask AWS for the keys of a role. */
export interface RoleDeps {
  /** Signs with these keys, or with the server's own. It knows nothing else about the location. */
  client: (keys: Keys | undefined) => S3Client;
  region: string;
  rules: CredentialRules;
  env: Readonly<Record<string, string | undefined>>;
}

interface Signer {
  sign(request: unknown, options: { signingService: string; signingRegion: string }): Promise<unknown>;
}

interface Handler {
  handle(
    request: unknown,
    options: { abortSignal: AbortSignal },
  ): Promise<{ response: { statusCode: number; body: AsyncIterable<Uint8Array> } }>;
}

const LIMIT_MS = 20_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_TOKEN_BYTES = 64 * 1024;

/**
 * The keys of a role, from AWS' token service. One small request of our own: the SDK would read the role from a file in
 * its own way, and obey whatever else is in it.
 */
export async function assumeRole(role: Role, keys: Keys | undefined, deps: RoleDeps): Promise<Keys> {
  const { region, env } = deps;
  const what = 'ask AWS for the keys of the role in the credentials';
  const token = role.tokenFile === undefined ? undefined : await readToken(role.tokenFile, deps.rules);
  const url = new URL(env['AWS_ENDPOINT_URL_STS'] ?? `https://sts.${region}.amazonaws.com${ending(region)}`);
  const request = {
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    path: '/',
    query: {},
    headers: { host: url.host, 'content-type': 'application/x-www-form-urlencoded' },
    body: form(role, token),
  };
  const client = deps.client(keys);
  try {
    return await within({ limitMs: LIMIT_MS, what }, async (abortSignal) => {
      const signer = (await client.config.signer()) as unknown as Signer;
      // A token is its own proof.
      const isSigned = token === undefined;
      const sent = isSigned ? await signer.sign(request, { signingService: 'sts', signingRegion: region }) : request;
      const { response } = await (client.config.requestHandler as Handler).handle(sent, { abortSignal });
      return keysIn(what, response.statusCode, await readBounded(what, response.body));
    });
  } finally {
    client.destroy();
  }
}

async function readToken(path: string, rules: CredentialRules): Promise<string> {
  const file = { path, setting: 'web_identity_token_file', maxBytes: MAX_TOKEN_BYTES };
  return (await readBelowRoot(file, rules)).toString().trim();
}

function ending(region: string): string {
  return region.startsWith('cn-') ? '.cn' : '';
}

function form({ arn, sessionName, externalId, seconds }: Role, token: string | undefined): string {
  return new URLSearchParams({
    Action: token === undefined ? 'AssumeRole' : 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: arn,
    RoleSessionName: sessionName,
    DurationSeconds: String(seconds),
    ...(externalId === undefined ? {} : { ExternalId: externalId }),
    ...(token === undefined ? {} : { WebIdentityToken: token }),
  }).toString();
}

async function readBounded(what: string, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new AppError('badAnswer', `${what}: more than ${MAX_ANSWER_BYTES} bytes came`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString();
}

/** The answer is XML with a few elements and no attributes. */
function keysIn(what: string, status: number, xml: string): Keys {
  const element = (name: string): string | undefined => new RegExp(`<${name}>([^<>&]+)</${name}>`).exec(xml)?.[1];
  if (status !== 200) {
    const said = cleanText(`${element('Code') ?? 'an error'} (HTTP ${status}): ${element('Message') ?? 'no message'}`);
    throw new AppError(status >= 500 ? 'serverError' : 'unauthenticated', `${what}: ${said}`);
  }
  const accessKeyId = element('AccessKeyId');
  const secretAccessKey = element('SecretAccessKey');
  const sessionToken = element('SessionToken');
  const expiration = new Date(element('Expiration') ?? '');
  if (!accessKeyId || !secretAccessKey || !sessionToken || Number.isNaN(expiration.getTime())) {
    throw new AppError('badAnswer', `${what}: expected keys and when they end, got an answer without them`);
  }
  return { accessKeyId, secretAccessKey, sessionToken, expiration };
}
