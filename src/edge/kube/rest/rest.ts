import { assertNever, isAppError, isObject, stringifyJson, type JsonObject } from '../../../base/index.ts';
import { answerObject, badAnswer } from '../answer-object.ts';
import { collectionPath, objectPath } from '../path.ts';
import type {
  CallOptions,
  DeleteOptions,
  GetOptions,
  KubeObject,
  NamedTarget,
  Patch,
  PatchOptions,
  Target,
  WriteOptions,
} from '../port.ts';
import { attemptAt, type Attempted } from '../transport/attempted.ts';
import type { KubeRequest, Query, Transport } from '../transport/transport.ts';
import { parseWithoutManagers } from './without-managers.ts';

export async function get(transport: Transport, target: NamedTarget, options: GetOptions = {}): Promise<KubeObject> {
  const request: KubeRequest = { method: 'GET', path: objectPath(target), ...limits(options) };
  const attempted = attemptAt(transport, request.method, request.path);
  const answer = await transport.request(request);
  const lean = options.isLean === true ? parseWithoutManagers(answer.text) : undefined;
  return toObject(attempted, lean ?? answerObject(attempted, answer));
}

/** One POST. A lost answer is an error with `details.maybeDone`; `create` handles it. */
export async function post(
  transport: Transport,
  target: Target,
  object: KubeObject,
  options: WriteOptions = {},
): Promise<KubeObject> {
  return exchange(transport, postOf(target, stringifyJson(object), options));
}

/** The same for text. Its answer must look like an object, and is parsed only if it has `readIf` in it. */
export async function postText(
  transport: Transport,
  target: Target,
  text: Buffer,
  { readIf, ...options }: WriteOptions & { readIf?: string | undefined } = {},
): Promise<KubeObject | undefined> {
  return await exchangeUnread(transport, postOf(target, text, options), readIf);
}

function postOf(target: Target, body: string | Buffer, options: WriteOptions): KubeRequest {
  return {
    method: 'POST',
    path: collectionPath(target),
    query: writeQuery(options),
    body,
    repeatable: options.dryRun === true,
    ...limits(options),
  };
}

/**
 * With a resourceVersion in the object, a repeated replace cannot undo somebody's newer write. If the first answer was
 * lost, the Conflict that follows has `details.maybeDone`: it may be caused by this very write.
 */
export async function replace(
  transport: Transport,
  target: NamedTarget,
  object: KubeObject,
  options: PatchOptions = {},
): Promise<KubeObject> {
  return exchange(transport, {
    method: 'PUT',
    path: objectPath(target, options.subresource),
    query: writeQuery(options),
    body: stringifyJson(object),
    ...limits(options),
  });
}

export async function patch(
  transport: Transport,
  target: NamedTarget,
  change: Patch,
  options: PatchOptions = {},
): Promise<KubeObject> {
  return exchange(transport, patchOf(target, change, options));
}

/** The same, with an answer that must look like an object, but is not parsed. */
export async function patchUnread(
  transport: Transport,
  target: NamedTarget,
  change: Patch,
  options: PatchOptions = {},
): Promise<void> {
  await exchangeUnread(transport, patchOf(target, change, options));
}

function patchOf(target: NamedTarget, change: Patch, options: PatchOptions): KubeRequest {
  return {
    method: 'PATCH',
    path: objectPath(target, options.subresource),
    query: { ...writeQuery(options), force: change.kind === 'apply' ? options.force : undefined },
    contentType: contentTypeOf(change.kind),
    body: stringifyJson(change.body),
    repeatable: options.dryRun === true || isIdempotent(change),
    ...limits(options),
  };
}

/** The object if something still holds it (finalizers, a grace period), else undefined. */
export async function remove(
  transport: Transport,
  target: NamedTarget,
  options: DeleteOptions = {},
): Promise<KubeObject | undefined> {
  const { propagation, preconditions, gracePeriodSeconds, dryRun } = options;
  const path = objectPath(target);
  const body = stringifyJson({
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: propagation,
    preconditions,
    gracePeriodSeconds,
    dryRun: dryRun === true ? ['All'] : undefined,
  });
  try {
    const answer = await transport.request({ method: 'DELETE', path, body, ...limits(options) });
    const attempted = attemptAt(transport, 'DELETE', path);
    const result = answerObject(attempted, answer);
    return result['kind'] === 'Status' ? undefined : toObject(attempted, result);
  } catch (error) {
    // The first answer was lost and the object is gone: we deleted it, or somebody who wanted the same did.
    if (isAppError(error, 'notFound') && error.details?.['maybeDone'] === true) return undefined;
    throw error;
  }
}

async function exchange(transport: Transport, request: KubeRequest): Promise<KubeObject> {
  const attempted = attemptAt(transport, request.method, request.path);
  return toObject(attempted, answerObject(attempted, await transport.request(request)));
}

const OPEN_OBJECT = 0x7b;
/** An API server has them near the beginning, so that they are found at once. */
const NEEDED_MEMBERS = ['"kind":', '"metadata":'];

async function exchangeUnread(
  transport: Transport,
  request: KubeRequest,
  readIf?: string,
): Promise<KubeObject | undefined> {
  const { body, ...answer } = await transport.requestBytes(request);
  using given = body;
  const { bytes } = given;
  const isWhole = bytes[0] === OPEN_OBJECT && NEEDED_MEMBERS.every((member) => bytes.includes(member));
  if (isWhole && (readIf === undefined || !bytes.includes(readIf))) return undefined;
  // Wanted, or not what an API server sends: then who sent it must be seen in the error.
  const attempted = attemptAt(transport, request.method, request.path);
  return toObject(attempted, answerObject(attempted, { ...answer, text: Buffer.from(bytes).toString() }));
}

function toObject(attempted: Attempted, body: JsonObject): KubeObject {
  if (typeof body['kind'] === 'string' && isObject(body['metadata'])) return body as KubeObject;
  throw badAnswer(attempted, 'expected an object with kind and metadata, got one without');
}

function limits(options: CallOptions): Pick<KubeRequest, 'signal' | 'deadlineMs'> {
  const { signal, deadlineMs } = options;
  return { ...(signal === undefined ? {} : { signal }), ...(deadlineMs === undefined ? {} : { deadlineMs }) };
}

function writeQuery(options: WriteOptions): Query {
  const { dryRun, fieldManager, fieldValidation } = options;
  return { dryRun: dryRun === true ? 'All' : undefined, fieldManager, fieldValidation };
}

function contentTypeOf(kind: Patch['kind']): string {
  switch (kind) {
    case 'merge':
      return 'application/merge-patch+json';
    case 'strategic':
      return 'application/strategic-merge-patch+json';
    case 'apply':
      return 'application/apply-patch+yaml';
    case 'json':
      return 'application/json-patch+json';
    default:
      return assertNever(kind, 'patch kind');
  }
}

/** A JSON patch may append to a list twice, unless it applies to one version of the object only. */
function isIdempotent(change: Patch): boolean {
  return (
    change.kind !== 'json' || change.body.some(({ op, path }) => op === 'test' && path === '/metadata/resourceVersion')
  );
}
