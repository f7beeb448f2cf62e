import { badRequest, expired, invalidOption, tooLargeVersion } from '../errors/index.ts';
import type { FieldError } from '../../schema/index.ts';
import type { ObjectStore, Stored } from '../store/index.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { isSelected, type Selection } from './selection.ts';

export interface ListOptions {
  limit?: number;
  continue?: string;
  resourceVersion?: string;
  resourceVersionMatch?: string;
}

export interface ListResult {
  items: Stored[];
  rv: number;
  continue?: string;
  remaining?: number;
}

const TOO_OLD =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** One page of a list. All pages of a list show the state of the first one, or the next page is a 410. */
export function listObjects(store: ObjectStore, selection: Selection, options: ListOptions = {}): ListResult {
  checkOptions(options);
  const { rv, start, limit } = where(store, selection, options);
  const snapshot = store.snapshot(selection.resource.storage, rv);
  if (snapshot === undefined) {
    throw expired(start === '' ? `The resourceVersion for the provided list is too old.` : TOO_OLD);
  }
  if (selection.name !== undefined && selection.namespace !== undefined) {
    const only = snapshot.get(`${selection.namespace}/${selection.name}`);
    return { items: only !== undefined && isSelected(selection, only) ? [only] : [], rv };
  }
  const keys = snapshot.keys(selection.namespace, start);
  const items: Stored[] = [];
  for (const [i, key] of keys.entries()) {
    const stored = snapshot.get(key);
    if (stored === undefined || !isSelected(selection, stored)) continue;
    if (items.length === limit) return { items, rv, ...rest(selection, rv, keys.slice(i)) };
    items.push(stored);
  }
  return { items, rv };
}

function rest(selection: Selection, rv: number, keys: readonly string[]): { continue: string; remaining?: number } {
  const next = keys[0] ?? '';
  const start = selection.namespace === undefined ? next : next.slice(selection.namespace.length);
  const token = encodeContinue({ rv, start });
  return selection.matches === undefined ? { continue: token, remaining: keys.length } : { continue: token };
}

interface Where {
  rv: number;
  start: string;
  limit: number;
}

function where(store: ObjectStore, selection: Selection, options: ListOptions): Where {
  const limit = options.limit === undefined || options.limit === 0 ? Infinity : options.limit;
  const asked = parseVersion(options.resourceVersion);
  if (options.continue !== undefined && options.continue !== '') {
    if (asked !== undefined && asked !== 0) {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return { ...continued(store, selection, options.continue), limit };
  }
  if (asked === undefined) return { rv: store.rv, start: '', limit };
  // The watch cache of the real server answers this one, and it knows no pages.
  if (asked === 0) return { rv: store.rv, start: '', limit: Infinity };
  if (asked > store.rv) throw tooLargeVersion(asked, store.rv);
  const match = options.resourceVersionMatch ?? '';
  const isExact = match === 'Exact' || (match === '' && limit !== Infinity);
  return { rv: isExact ? asked : store.rv, start: '', limit };
}

function continued(store: ObjectStore, selection: Selection, text: string): { rv: number; start: string } {
  const token = decodeContinue(text);
  const rv = token.rv < 0 ? store.rv : token.rv;
  if (rv > store.rv) throw tooLargeVersion(rv, store.rv);
  return { rv, start: `${selection.namespace ?? ''}${token.start}` };
}

/** Undefined when the client did not say. */
export function parseVersion(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const version = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(version)) {
    throw badRequest(`invalid resource version: ${notANumber(text)}`);
  }
  return version;
}

/** The words of Go, for a resourceVersion that is none. */
export function notANumber(text: string): string {
  const quoted = JSON.stringify(text.slice(0, 100));
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

function checkOptions(options: ListOptions): void {
  const match = options.resourceVersionMatch ?? '';
  if (match === '') return;
  const forbid = (why: string): FieldError => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${why}`,
    field: 'resourceVersionMatch',
  });
  if ((options.resourceVersion ?? '') === '') {
    throw invalidOption('ListOptions', forbid('resourceVersionMatch is forbidden unless resourceVersion is provided'));
  }
  if ((options.continue ?? '') !== '') {
    throw invalidOption('ListOptions', forbid('resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`;
    throw invalidOption('ListOptions', { reason: 'FieldValueNotSupported', message, field: 'resourceVersionMatch' });
  }
  if (match === 'Exact' && options.resourceVersion === '0') {
    throw invalidOption('ListOptions', forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
}
