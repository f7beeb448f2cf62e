import { AppError, isAppError, parseJson } from '../../../base/index.ts';
import { objectPath } from '../path.ts';
import type { CreateTextOptions, KubeObject, NamedTarget, Target, WriteOptions } from '../port.ts';
import { get, post, postText } from './rest.ts';
import { holdsWhatWasSent } from './sent-object.ts';
import type { Transport } from '../transport/transport.ts';

const SENDINGS = 3;
const DEFAULT_DEADLINE_MS = 30_000;
/** Timers are a little early now and then, and with less than this there is no time for another request. */
const LEAST_MS = 10;

/**
 * A create whose answer was lost is never blindly repeated: the object is read back. If it exists and contains what was
 * sent, it was created; if it differs, somebody else's object has the name; if it is missing, the create may be
 * repeated, because at most one of two creates of one name can succeed. An object with a generated name cannot be read
 * back, so there the loss is reported.
 */
export async function create(
  transport: Transport,
  target: Target,
  object: KubeObject,
  options: WriteOptions = {},
): Promise<KubeObject> {
  const { name } = object.metadata;
  return await creating(
    transport,
    {
      named: { ...target, name },
      sent: () => object,
      send: (limited) => post(transport, target, object, limited),
    },
    options,
  );
}

/** Parses the text only if it has to be compared, and the answer only if it is wanted. */
export async function createText(
  transport: Transport,
  named: NamedTarget,
  text: Buffer,
  { readIf, ...options }: CreateTextOptions = {},
): Promise<KubeObject | undefined> {
  return await creating(
    transport,
    {
      named,
      sent: () => parseJson(text.toString()) as KubeObject,
      send: (limited) => postText(transport, named, text, { ...limited, readIf }),
    },
    options,
  );
}

interface Creating<T> {
  named: NamedTarget;
  sent: () => KubeObject;
  send: (options: WriteOptions) => Promise<T>;
}

/** The server's answer, or the object that was read back. */
async function creating<T>(
  transport: Transport,
  { named, sent, send }: Creating<T>,
  options: WriteOptions,
): Promise<T | KubeObject> {
  const endsAt = performance.now() + (options.deadlineMs ?? DEFAULT_DEADLINE_MS);
  const remainingMs = (): number => endsAt - performance.now();
  let lost: AppError | undefined;
  for (let sending = 1; ; sending += 1) {
    try {
      return await send({ ...options, deadlineMs: Math.max(1, remainingMs()) });
    } catch (error) {
      if (!isAppError(error)) throw error;
      if (error.details?.['maybeDone'] === true) lost = error;
      // After a lost answer, "already exists" may refer to our own create.
      else if (lost === undefined || error.code !== 'alreadyExists') throw error;
      if (!canBeReadBack(named, options) || remainingMs() < LEAST_MS) throw error;
      const found = await readBack(transport, named, { lost, deadlineMs: remainingMs(), signal: options.signal });
      if (found !== undefined) return requireOwn(named, sent(), { found, lost });
      if (sending >= SENDINGS) throw error;
    }
  }
}

/** False for a generated name and for a dry run: whatever exists then is somebody else's, however similar. */
function canBeReadBack({ name }: Partial<NamedTarget>, { dryRun }: WriteOptions): boolean {
  return (name ?? '') !== '' && dryRun !== true;
}

async function readBack(
  transport: Transport,
  target: NamedTarget,
  during: { lost: AppError; deadlineMs: number; signal: AbortSignal | undefined },
): Promise<KubeObject | undefined> {
  const { lost, deadlineMs, signal } = during;
  try {
    return await get(transport, target, { deadlineMs, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    // The caller must know that the answer was lost; a failure to read back changes nothing about that.
    throw isAppError(error) ? lost : error;
  }
}

function requireOwn(target: NamedTarget, sent: KubeObject, read: { found: KubeObject; lost: AppError }): KubeObject {
  const { found, lost } = read;
  // An object that is being deleted existed before.
  if (found.metadata.deletionTimestamp === undefined && holdsWhatWasSent(sent, found)) return found;
  throw new AppError(
    'alreadyExists',
    `POST of ${objectPath(target)}: the answer was lost, and the object read back is not the one that was sent`,
    { cause: lost, details: { maybeDone: true } },
  );
}
