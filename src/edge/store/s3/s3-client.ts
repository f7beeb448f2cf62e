import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { CredentialRules } from '../credentials-root.ts';
import { collectAnswer, leaveNoBody } from './answer-body.ts';
import { assumeRole } from './assume-role.ts';
import { readCredentials } from './credentials.ts';
import type { Credentials, Keys } from './keys.ts';
import type { S3Settings } from './s3-settings.ts';
import type * as sdk from './sdk.ts';

export type Sdk = typeof sdk;

/** The SDK costs 30 MB and a third of a second, so it is loaded only when needed. */
export async function loadSdk(): Promise<Sdk> {
  return await import('./sdk.ts');
}

const CONNECT_MS = 10_000;
const MAX_SOCKETS = 32;
/** For stores that do not care; AWS itself reports the right region if it differs. */
const ANY_REGION = 'us-east-1';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ClientOptions {
  credentialsIni?: string | undefined;
  rules?: CredentialRules | undefined;
  /** For HTTPS_PROXY and similar variables, and for those that a location's credentials may use. */
  env?: Environment | undefined;
}

/** Undefined when the server's own credentials are to be used. */
export async function locationCredentials(
  sdk: Sdk,
  settings: S3Settings,
  { credentialsIni: ini, rules = {}, env = {} }: ClientOptions,
): Promise<Credentials | undefined> {
  const region = settings.region ?? ANY_REGION;
  const client = (credentials: Credentials | undefined): S3Client =>
    new sdk.S3Client({
      region,
      requestHandler: { connectionTimeout: CONNECT_MS, httpsAgent: new HttpsAgent(agentOptions(env)) },
      ...(credentials === undefined ? {} : { credentials }),
    });
  return await readCredentials(settings, {
    ini,
    rules,
    env,
    assumeRole: (role, keys) => assumeRole(role, keys, { client, region, rules, env }),
  });
}

/** The keys that a store would be opened with now; also the server's own. */
export async function currentKeys(settings: S3Settings, options: ClientOptions): Promise<Keys> {
  const sdk = await loadSdk();
  const credentials = await locationCredentials(sdk, settings, options);
  if (credentials !== undefined) return typeof credentials === 'function' ? await credentials() : credentials;
  const client = new sdk.S3Client({ region: settings.region ?? ANY_REGION });
  try {
    return await client.config.credentials();
  } finally {
    client.destroy();
  }
}

function agentOptions(env: Environment | undefined) {
  return { keepAlive: true, maxSockets: MAX_SOCKETS, ...(env === undefined ? {} : { proxyEnv: { ...env } }) };
}

export interface Endpoint {
  url: string | undefined;
  credentials: Credentials | undefined;
  env: Environment | undefined;
}

export function createClient(sdk: Sdk, settings: S3Settings, { url, credentials, env }: Endpoint): S3Client {
  const agent = agentOptions(env);
  const checksums = settings.checksumAlgorithm === undefined ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  const config: S3ClientConfig = {
    region: settings.region ?? ANY_REGION,
    followRegionRedirects: settings.region === undefined,
    forcePathStyle: settings.forcePathStyle,
    // withPatience does the retries, because it can tell the user about them.
    maxAttempts: 1,
    expectContinueHeader: false,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    streamCollector: collectAnswer,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      // A slow reader of a download is fine; deadlines are set where we wait for the server.
      socketTimeout: 0,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent({
        ...agent,
        rejectUnauthorized: !settings.insecureSkipTlsVerify,
        ...(settings.caCert === undefined ? {} : { ca: [...getCACertificates('default'), settings.caCert] }),
      }),
    },
  };
  if (url !== undefined) config.endpoint = url;
  if (credentials !== undefined) config.credentials = credentials;
  const client = new sdk.S3Client(config);
  leaveNoBody(client);
  return client;
}
