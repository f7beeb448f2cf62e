import { Patience, type PatienceOptions } from './patience.ts';
import type { GetOptions, PutOptions, Source, Store, StoredObject } from './port.ts';

/**
 * The same store for one operation: it waits while the store is unreachable and reports that. Requests are repeated, a
 * broken download resumes at the byte where it broke, and a put whose upload was lost starts over if its source is a
 * function.
 */
export function withPatience(store: Store, options: PatienceOptions): Store {
  const patience = new Patience(options);
  const patient = (call: GetOptions = {}): GetOptions => ({ ...call, retry: patience.retrier(call.signal) });
  return {
    where: store.where,
    put: (key, source, call) => put(store, patience, { key, source, call: call ?? {} }),
    get: async (key, call) => await get(store, patience, { key, call: patient(call) }),
    head: (key, call) => store.head(key, patient(call)),
    delete: (key, call) => store.delete(key, patient(call)),
    list: (prefix, call) => store.list(prefix, patient(call)),
    listPrefixes: (prefix, call) => store.listPrefixes(prefix, patient(call)),
    listUploads: (prefix, call) => store.listUploads(prefix, patient(call)),
    abortUpload: (upload, call) => store.abortUpload(upload, patient(call)),
    downloadUrl: (key, seconds, call) => store.downloadUrl(key, seconds, patient(call)),
    close: () => {
      store.close();
    },
  };
}

/**
 * A store that accepts the bytes and fails at the end is not unreachable; this bounds how often the put is repeated.
 */
const MAX_RUNS = 10;

interface Put {
  key: string;
  source: Source;
  call: PutOptions;
}

async function put(store: Store, patience: Patience, { key, source, call }: Put): Promise<{ size: number }> {
  let reported = -1;
  const wait = patience.begin(call.signal);
  const options: PutOptions = {
    ...call,
    retry: patience.retrier(call.signal),
    // A second run starts at zero; the reported number does not fall.
    onProgress: (bytes) => {
      wait.end();
      if (bytes <= reported) return;
      reported = bytes;
      call.onProgress?.(bytes);
    },
  };
  if (typeof source !== 'function') return await store.put(key, source, options);
  const failures = new SourceFailures(source);
  try {
    for (let run = 1; ; run += 1) {
      try {
        return await store.put(key, failures.source, options);
      } catch (error) {
        if (failures.isOne(error) || run === MAX_RUNS) throw error;
        await wait.afterFailure(error);
      }
    }
  } finally {
    wait.end();
  }
}

/** Distinguishes failures of the source from failures of the store: the former are the caller's to handle. */
class SourceFailures {
  readonly source: () => AsyncIterable<Uint8Array>;
  readonly #seen = new WeakSet();

  constructor(source: () => AsyncIterable<Uint8Array>) {
    const seen = this.#seen;
    this.source = async function* () {
      try {
        yield* source();
      } catch (error) {
        if (error instanceof Error) seen.add(error);
        throw error;
      }
    };
  }

  isOne(error: unknown): boolean {
    return error instanceof Error && this.#seen.has(error);
  }
}

interface Get {
  key: string;
  call: GetOptions;
}

async function get(store: Store, patience: Patience, { key, call }: Get): Promise<StoredObject> {
  const first = await store.get(key, call);
  return { ...first, body: resuming(store, patience, { key, call, first }) };
}

async function* resuming(
  store: Store,
  patience: Patience,
  { key, call, first }: Get & { first: StoredObject },
): AsyncGenerator<Uint8Array> {
  const start = call.range?.offset ?? 0;
  const end = Math.min(first.size, start + (call.range?.length ?? Infinity));
  let position = start;
  let body = first.body;
  const wait = patience.begin(call.signal);
  try {
    for (;;) {
      try {
        for await (const chunk of body) {
          wait.end();
          position += chunk.byteLength;
          yield chunk;
        }
        return;
      } catch (error) {
        await wait.afterFailure(error);
        if (position >= end) return;
      }
      const range = { offset: position, length: end - position };
      body = (await store.get(key, { ...call, range, version: first.version })).body;
    }
  } finally {
    wait.end();
  }
}
