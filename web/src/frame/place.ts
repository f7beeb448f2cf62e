import { useCallback, useSyncExternalStore } from 'react';

/** Where the user is: everything that a reload has to come back to. It lives behind the # of the address. */
export interface Place {
  /** `['operations', 'demo.backup.velero.nightly-1']` */
  path: readonly string[];
  query: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | undefined>>;

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  return {
    path: path.split('/').filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Empty values are left out. */
export function hrefOf(path: readonly string[], query: Query = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return `#/${path.map(encodeURIComponent).join('/')}${search}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Somebody typed a stray percent sign.
    return text;
  }
}

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
  };
};
const hash = (): string => window.location.hash;

export function usePlace(): Place {
  return readPlace(useSyncExternalStore(subscribe, hash));
}

/** Changes a part of the query without a step in the browser's history. */
export function useSetQuery(): (change: Query) => void {
  return useCallback((change: Query) => {
    const { path, query } = readPlace(hash());
    window.history.replaceState(null, '', hrefOf(path, { ...query, ...change }));
    // replaceState alone tells nobody.
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  }, []);
}

export function goTo(path: readonly string[], query: Query = {}): void {
  window.location.hash = hrefOf(path, query);
}

/** The chosen cluster goes along wherever one goes. */
export function useHref(): (path: readonly string[], query?: Query) => string {
  const { cluster } = usePlace().query;
  return useCallback((path: readonly string[], query: Query = {}) => hrefOf(path, { cluster, ...query }), [cluster]);
}
