import { isObject, objectAt, valueAt } from '../../../base/index.ts';
import type { ApiServer } from '../api-server.ts';
import { invalid, methodNotAllowed, notFound } from '../errors/index.ts';
import { timestamp } from '../registry/index.ts';
import { json, type Answer } from './answer.ts';
import { readObject } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { Target } from './target.ts';

const TOKEN_REQUEST = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const DEFAULT_SECONDS = 3600;
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;

/** `kubectl create token`: a token with which one can log in as the service account. */
export async function issueToken(server: ApiServer, target: Target, { request }: Exchange): Promise<Answer> {
  if (request.method !== 'POST') throw methodNotAllowed();
  const { resource, namespace, name } = target;
  const body = await readObject(request, TOKEN_REQUEST.kind);
  if (server.store.read(resource.storage, namespace, name) === undefined) throw notFound(resource, name);
  const spec = isObject(body) ? objectAt(body, 'spec') : {};
  const seconds = checked(Number(valueAt(spec, 'expirationSeconds') ?? DEFAULT_SECONDS));
  const { token, expiresAt } = server.issueToken(namespace, name, seconds);
  return json(201, {
    kind: TOKEN_REQUEST.kind,
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: timestamp(server.now()) },
    spec: { ...spec, expirationSeconds: seconds },
    status: { token, expirationTimestamp: timestamp(expiresAt) },
  });
}

function checked(seconds: number): number {
  const problem =
    seconds < LEAST_SECONDS
      ? 'may not specify a duration less than 10 minutes'
      : seconds > MOST_SECONDS
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (problem === undefined) return seconds;
  const message = `Invalid value: ${String(seconds)}: ${problem}`;
  throw invalid(TOKEN_REQUEST, '', [{ reason: 'FieldValueInvalid', field: 'spec.expirationSeconds', message }]);
}
