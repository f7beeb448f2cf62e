import { AppError, formatBytes, isObject, parseJson, textAt, type Clock, type JsonObject } from '../../base/index.ts';
import { statusError } from './transport/answer-error.ts';
import { attemptAt, describeAttempt, type Attempted } from './transport/attempted.ts';
import { withInactivityLimit } from './inactivity.ts';
import { LineSplitter, type Line } from './line-splitter.ts';
import { collectionPath } from './path.ts';
import type { KubeObject, Target, WatchEvent, WatchOptions } from './port.ts';
import type { Transport } from './transport/transport.ts';

const INACTIVITY_MS = 90_000;
/**
 * The server is asked to end the watch before silence would count as death: bookmarks are not guaranteed, and a watch
 * that starts at the newest version of a quiet kind gets none until that version changes (two minutes were seen).
 */
const ENDS_AFTER = 2 / 3;
/** Far above what etcd stores in one object (1.5 MB by default), far below what hurts. */
const MAX_EVENT_BYTES = 32 * 1024 * 1024;

export interface WatchDeps {
  transport: Transport;
  clock: Clock;
}

export async function* watch(deps: WatchDeps, target: Target, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
  const { transport, clock } = deps;
  const path = collectionPath(target);
  const { signal, labelSelector, fieldSelector, resourceVersion, inactivityMs = INACTIVITY_MS } = options;
  const stream = await transport.stream({
    method: 'GET',
    path,
    query: {
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.max(1, Math.floor((inactivityMs * ENDS_AFTER) / 1000)),
      labelSelector,
      fieldSelector,
      resourceVersion,
    },
    ...(signal === undefined ? {} : { signal }),
  });
  options.onOpen?.();
  const attempted = attemptAt(transport, 'WATCH', path);
  const splitter = new LineSplitter(MAX_EVENT_BYTES);
  try {
    for await (const chunk of withInactivityLimit(stream, inactivityMs, describeAttempt(attempted))) {
      for (const line of splitter.push(chunk)) {
        const event = readEvent(line, attempted, clock.now());
        if (event !== undefined) yield event;
      }
    }
    const rest = splitter.rest();
    if (rest !== undefined) throw brokenOff(rest, attempted);
  } finally {
    stream.close();
  }
}

function readEvent(line: Line, attempted: Attempted, now: number): WatchEvent | undefined {
  const at = describeAttempt(attempted);
  if (line.cut) throw new AppError('tooLarge', `${at}: expected events of at most ${formatBytes(MAX_EVENT_BYTES)}`);
  if (line.text.trim() === '') return undefined;
  const event = parseEvent(line.text, at);
  const object = event['object'];
  if (!isObject(object))
    throw new AppError('badAnswer', `${at}: expected an event with an object, got ${describe(line.text)}`);
  if (event['type'] === 'ERROR') throw statusError(attempted, { kind: 'Status', ...object }, now);
  const resourceVersion = textAt(object, 'metadata', 'resourceVersion') ?? '';
  // Without one, the watch could not be resumed from here after a broken connection.
  if (resourceVersion === '')
    throw new AppError('badAnswer', `${at}: expected a resourceVersion in every event, got ${describe(line.text)}`);
  switch (event['type']) {
    case 'BOOKMARK':
      return { type: 'BOOKMARK', resourceVersion };
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: event['type'], object: object as KubeObject, resourceVersion };
    default:
      // A reader that skips unknown events would silently miss changes.
      throw new AppError(
        'badAnswer',
        `${at}: expected ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, got ${describe(line.text)}`,
      );
  }
}

function parseEvent(text: string, at: string): JsonObject {
  try {
    const event = parseJson(text);
    return isObject(event) ? event : {};
  } catch {
    // Not kept as the cause: the parser's message quotes the line.
    throw new AppError('badAnswer', `${at}: expected one JSON event a line, got ${describe(text)}`);
  }
}

function brokenOff(rest: string, attempted: Attempted): AppError {
  const at = describeAttempt(attempted);
  return new AppError('unreachable', `${at}: the stream ended in the middle of an event, after ${describe(rest)}`);
}

/** An event is never quoted, because it may be a Secret; text that is not JSON at all, such as a proxy's page, is. */
function describe(text: string): string {
  if (/^\s*[{[]/.test(text)) return `${String(text.length)} characters of JSON`;
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
