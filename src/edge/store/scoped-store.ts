import type { Store } from './port.ts';

/** The part of a store whose keys begin with the prefix, which ends in `/` and is stripped from its own keys. */
export function scopedStore(store: Store, prefix: string): Store {
  const outer = (key: string): string => prefix + key;
  const inner = <T extends { key: string }>(item: T): T => ({ ...item, key: item.key.slice(prefix.length) });
  return {
    where: `${store.where} below ${prefix}`,
    put: (key, source, options) => store.put(outer(key), source, options),
    get: async (key, options) => inner(await store.get(outer(key), options)),
    head: async (key, options) => inner(await store.head(outer(key), options)),
    delete: (key, options) => store.delete(outer(key), options),
    list: (below, options) => mapped(store.list(outer(below), options), inner),
    listPrefixes: (below, options) =>
      mapped(store.listPrefixes(outer(below), options), (folder) => folder.slice(prefix.length)),
    listUploads: (below, options) => mapped(store.listUploads(outer(below), options), inner),
    abortUpload: (upload, options) => store.abortUpload({ ...upload, key: outer(upload.key) }, options),
    downloadUrl: (key, seconds, options) => store.downloadUrl(outer(key), seconds, options),
    close: () => {
      store.close();
    },
  };
}

async function* mapped<T, U>(items: AsyncIterable<T>, change: (item: T) => U): AsyncGenerator<U> {
  for await (const item of items) yield change(item);
}
