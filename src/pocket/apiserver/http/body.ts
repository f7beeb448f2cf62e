import type { IncomingMessage } from 'node:http';
import { AppError, isAppError, messageOf, parseJson } from '../../../base/index.ts';
import { decodeProtobuf, isProtobuf } from '../../codec/index.ts';
import { badRequest, entityTooLarge, unsupportedMedia } from '../errors/index.ts';

const LIMIT_BYTES = 3 * 1024 * 1024;
const SUMMARY_BYTES = 1024;
const DEEPEST = 500;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

export function mediaTypeOf(request: IncomingMessage): string {
  const header = request.headers['content-type'] ?? '';
  return (header.split(';')[0] ?? '').trim().toLowerCase();
}

/** The whole body, at most 3 MiB as with the real server. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = (): void => {
      request.removeAllListeners('data');
      // The rest is thrown away, so that the client can read the answer instead of a broken connection.
      request.resume();
      reject(entityTooLarge(LIMIT_BYTES));
    };
    if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES) {
      tooLarge();
      return;
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LIMIT_BYTES) tooLarge();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('error', () => {
      reject(new AppError('canceled', 'the client went away while it sent the body'));
    });
    request.on('close', () => {
      if (!request.complete) reject(new AppError('canceled', 'the client went away while it sent the body'));
    });
  });
}

/** A body that holds an object, in JSON or protobuf. A missing Content-Type means JSON: `kubectl scale` sends none. */
export async function readObject(request: IncomingMessage, kind: string): Promise<unknown> {
  const type = mediaTypeOf(request);
  if (type !== '' && type !== JSON_TYPE && type !== PROTOBUF_TYPE && type !== '*/*') {
    request.resume();
    throw unsupportedMedia([JSON_TYPE, PROTOBUF_TYPE]);
  }
  return decodeObject(await readBody(request), kind);
}

/** The options of a delete; an empty body means none. */
export async function readOptions(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  return body.length === 0 ? {} : decodeObject(body, 'DeleteOptions');
}

export async function readPatch(request: IncomingMessage): Promise<unknown> {
  const text = (await readBody(request)).toString('utf8');
  checkDepth(text);
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(`error decoding patch: ${goMessage(error)}`);
  }
}

function decodeObject(body: Buffer, kind: string): unknown {
  if (isProtobuf(body)) return decodeBinary(body);
  const text = body.toString('utf8');
  checkDepth(text);
  try {
    return parseJson(text);
  } catch (error) {
    const why = `couldn't get version/kind; json parse error: ${goMessage(error)} (${summary(body)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
  }
}

/** Refuses what would exhaust the stack of the functions that walk through it. */
function checkDepth(text: string): void {
  if (text.length <= DEEPEST) return;
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (isInString) {
      if (char === BACKSLASH) i += 1;
      else if (char === QUOTE) isInString = false;
    } else if (char === QUOTE) isInString = true;
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) depth += 1;
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
    if (depth > DEEPEST) throw badRequest(`json: exceeded max depth of ${DEEPEST}`);
  }
}

function decodeBinary(body: Buffer): unknown {
  try {
    return decodeProtobuf(body);
  } catch (error) {
    throw isAppError(error) ? badRequest(error.message) : error;
  }
}

/** What Go says of the commonest mistake; for others V8's words are clearer. */
function goMessage(error: unknown): string {
  return messageOf(error).replace(/^Unexpected end of JSON input$/, 'unexpected end of JSON input');
}

function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, SUMMARY_BYTES);
  if (body[0] !== 0x7b) return `${head.toString('hex')}${body.length > SUMMARY_BYTES ? ' ...' : ''}`;
  return `${head.toString('utf8')}${body.length > SUMMARY_BYTES ? ' ...' : ''}`;
}
