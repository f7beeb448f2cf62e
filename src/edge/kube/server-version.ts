import { AppError } from '../../base/index.ts';
import { answerObject } from './answer-object.ts';
import type { CallOptions } from './port.ts';
import type { Transport } from './transport/transport.ts';

/** Such as `v1.36.3`. */
export async function serverVersion(transport: Transport, options: CallOptions = {}): Promise<string> {
  const path = '/version';
  const answer = await transport.request({ method: 'GET', path, ...options });
  const version = answerObject(`GET ${path} at ${transport.server}`, answer)['gitVersion'];
  if (typeof version === 'string') return version;
  throw new AppError(
    'badAnswer',
    `GET ${path} at ${transport.server}: no gitVersion, so this is not a Kubernetes API server`,
  );
}
