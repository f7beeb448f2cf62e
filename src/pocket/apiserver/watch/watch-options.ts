import { internalError, invalidOption } from '../errors/index.ts';
import { notANumber, parseVersion, wholeNumberOf } from '../list/index.ts';
import type { WatchOptions } from './watch-hub.ts';

const LONGEST_MS = 3_600_000;

/** The options of a watch as its query says them; combinations the API forbids are a 422. */
export function watchOptions(query: URLSearchParams): WatchOptions {
  checkCombination(query);
  const initial = query.get('sendInitialEvents');
  const version = query.get('resourceVersion') ?? '';
  // The real server answers a list with 400 and a watch with 500; clients may have learned that.
  if (!/^\d{0,15}$/.test(version)) throw internalError(notANumber(version));
  const rv = parseVersion(version);
  const bookmarks = isTrue(query.get('allowWatchBookmarks'));
  const seconds = wholeNumberOf(query, 'timeoutSeconds') ?? 0;
  return {
    rv,
    bookmarks,
    // Older clients that ask from the beginning with bookmarks are told the end of the beginning too.
    sendInitialEvents: initial === null ? (bookmarks && (rv ?? 0) === 0 ? true : undefined) : isTrue(initial),
    ...(seconds > 0 ? { timeoutMs: Math.min(seconds * 1000, LONGEST_MS) } : {}),
  };
}

function checkCombination(query: URLSearchParams): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const isInitial = query.has('sendInitialEvents');
  if (isInitial && match !== 'NotOlderThan') {
    throw forbidMatch('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if ((query.get('continue') ?? '') !== '') {
    throw forbidMatch('resourceVersionMatch is forbidden when continue is provided');
  }
  if (match !== '' && !isInitial) {
    throw forbidMatch('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  }
}

function forbidMatch(why: string): Error {
  const message = `Forbidden: ${why}`;
  return invalidOption('ListOptions', { reason: 'FieldValueForbidden', message, field: 'resourceVersionMatch' });
}

/** As Go reads a flag of a query: whatever is not said to be false is true. */
export function isTrue(text: string | null): boolean {
  return text !== null && !['false', '0'].includes(text.toLowerCase());
}
