import { answerObject, badAnswer } from './answer-object.ts';
import type { CallOptions } from './port.ts';
import { attemptAt } from './transport/attempted.ts';
import type { Transport } from './transport/transport.ts';

/** Such as `v1.36.3`. */
export async function serverVersion(transport: Transport, options: CallOptions = {}): Promise<string> {
  const path = '/version';
  const answer = await transport.request({ method: 'GET', path, ...options });
  const attempted = attemptAt(transport, 'GET', path);
  const version = answerObject(attempted, answer)['gitVersion'];
  if (typeof version === 'string') return version;
  throw badAnswer(attempted, 'no gitVersion, so this is not a Kubernetes API server');
}
