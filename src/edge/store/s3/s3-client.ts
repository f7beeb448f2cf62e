import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import type * as ClientS3 from '@aws-sdk/client-s3';
import { AppError } from '../../../base/index.ts';
import { type Chain, readCredentials } from './credentials.ts';
import type { S3Settings } from './s3-settings.ts';

export type Sdk = typeof ClientS3;

/** The SDK costs 30 MB and a third of a second, which only its users shall pay. */
export async function loadSdk(): Promise<Sdk> {
  return await import('@aws-sdk/client-s3');
}

/** Answers that are XML are held whole; a list of 1000 keys of the greatest length stays far below. */
const MAX_XML_BYTES = 16 * 1024 * 1024;
const CONNECT_MS = 10_000;
const MAX_SOCKETS = 32;
/** For stores that do not care; AWS itself tells the right region when it differs. */
const ANY_REGION = 'us-east-1';

export interface ClientOptions {
  credentialsIni?: string | undefined;
  /** For HTTPS_PROXY and its kin. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

export function createClient(
  sdk: Sdk,
  settings: S3Settings,
  endpoint: string | undefined,
  options: ClientOptions,
): ClientS3.S3Client {
  const agent = {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    ...(options.env === undefined ? {} : { proxyEnv: { ...options.env } }),
  };
  const checksums = settings.checksumAlgorithm === undefined ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  const config: ClientS3.S3ClientConfig = {
    region: settings.region ?? ANY_REGION,
    followRegionRedirects: settings.region === undefined,
    forcePathStyle: settings.forcePathStyle,
    // Trying again is withPatience's, which can tell the user about it.
    maxAttempts: 1,
    expectContinueHeader: false,
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    streamCollector: collectBounded,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      // A slow reader of a download is no fault; deadlines are set where we wait for the server.
      socketTimeout: 0,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent({
        ...agent,
        rejectUnauthorized: !settings.insecureSkipTlsVerify,
        ...(settings.caCert === undefined ? {} : { ca: [...getCACertificates('default'), settings.caCert] }),
      }),
    },
  };
  if (endpoint !== undefined) config.endpoint = endpoint;
  const credentials = readCredentials(settings, options.credentialsIni, () => defaultChain(sdk));
  if (credentials !== undefined) config.credentials = credentials;
  return new sdk.S3Client(config);
}

/** The SDK hands its chain out only inside a client's configuration. */
function defaultChain(sdk: Sdk): Chain {
  const probe = new sdk.S3Client({ region: ANY_REGION });
  const { credentialDefaultProvider } = probe.config as { credentialDefaultProvider?: unknown };
  probe.destroy();
  if (typeof credentialDefaultProvider === 'function') return credentialDefaultProvider as Chain;
  throw new AppError('bug', 'read credentials: the SDK has no chain');
}

async function collectBounded(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    if (size > MAX_XML_BYTES) {
      throw new AppError('badAnswer', `read an answer of the store: more than ${MAX_XML_BYTES} bytes of XML`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
