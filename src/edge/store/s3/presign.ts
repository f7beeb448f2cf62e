import type { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../../base/index.ts';
import type { Bucket } from './requests.ts';

interface SignedRequest {
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
}

interface Presigner {
  presign(request: unknown, options: { expiresIn: number; unsignableHeaders: Set<string> }): Promise<SignedRequest>;
}

interface Stack {
  add(
    middleware: () => (args: { request: unknown }) => Promise<{ response: unknown; output: unknown }>,
    options: { step: 'finalizeRequest'; priority: 'high'; name: string },
  ): void;
}

/**
 * A link for reading the object. The SDK builds the request, which is intercepted before it is sent, and its own signer
 * signs it; S3 accepts links that live up to seven days.
 */
export async function presignGet(bucket: Bucket, client: S3Client, key: string, expiresIn: number): Promise<string> {
  const command = new bucket.sdk.GetObjectCommand({ Bucket: bucket.name, Key: key });
  let signed: SignedRequest | undefined;
  (command.middlewareStack as Stack).add(
    () => async (args) => {
      const signer = (await client.config.signer()) as unknown as Presigner;
      const request = args.request as { headers: Record<string, string>; query: Record<string, unknown> };
      // Headers that a browser or curl will not send must not be signed.
      request.headers = { host: request.headers['host'] ?? '', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
      delete request.query['x-id'];
      signed = await signer.presign(request, { expiresIn, unsignableHeaders: new Set(['content-type']) });
      return { response: {}, output: { $metadata: {} } };
    },
    { step: 'finalizeRequest', priority: 'high', name: 'presignGet' },
  );
  await client.send(command);
  if (signed === undefined) throw new AppError('bug', `make a link to ${key}: the SDK did not build a request`);
  return asUrl(signed);
}

function asUrl({ protocol, hostname, port, path, query = {} }: SignedRequest): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${escape(name)}=${escape(Array.isArray(value) ? value.join(',') : (value ?? ''))}`,
  );
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}?${pairs.join('&')}`;
}

/** As in the signature: RFC 3986, which is stricter than encodeURIComponent. */
function escape(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}
