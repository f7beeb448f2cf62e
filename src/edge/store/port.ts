/** Runs one request. The one from `withPatience` repeats it while the store is unreachable. */
export type Retrier = <T>(request: () => Promise<T>) => Promise<T>;

export interface CallOptions {
  /** An aborted call throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Set by `withPatience`; without it every request is made once. */
  retry?: Retrier | undefined;
}

export interface PutOptions extends CallOptions {
  /** Bytes passed to the store so far; never falls, and is exact at the end. */
  onProgress?: ((bytesSent: number) => void) | undefined;
}

export interface GetOptions extends CallOptions {
  range?: { offset: number; length?: number } | undefined;
  /** Only this version of the object, as in `ObjectFacts.version`; `conflict` if it was replaced. */
  version?: string | undefined;
}

/**
 * The bytes of an object; a chunk is used only until the next one is requested. A function can be called again, so a put
 * whose upload was lost can start over.
 */
export type Source = AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>);

export interface ObjectFacts {
  key: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Changes whenever the object is replaced; has no other meaning. */
  version: string;
}

export interface StoredObject extends ObjectFacts {
  /**
   * Must be read to its end or left with `break`; otherwise its file or connection stays open. Its chunks stay valid, so that
   * they may be read ahead.
   */
  body: AsyncIterable<Uint8Array>;
}

/** A put that has not become an object yet. */
export interface Upload {
  key: string;
  id: string;
  /** Milliseconds since 1970. */
  started: number;
}

/**
 * An object store, or a part of one. An object is visible completely or not at all. Every wait has a limit, and every
 * error is an AppError: `notFound`, `forbidden`, `unauthenticated`, `untrusted`, `tooLarge` (also for a full disk),
 * `invalidConfig`, or a transient one.
 */
export interface Store {
  /** For messages, such as `bucket "backups" at https://s3.example.com`. */
  readonly where: string;
  put(key: string, source: Source, options?: PutOptions): Promise<{ size: number }>;
  get(key: string, options?: GetOptions): Promise<StoredObject>;
  head(key: string, options?: CallOptions): Promise<ObjectFacts>;
  /** Succeeds when there is no such object. */
  delete(key: string, options?: CallOptions): Promise<void>;
  /** All objects whose key begins with the prefix, ordered by the bytes of the key if the store does that. */
  list(prefix: string, options?: CallOptions): AsyncIterable<ObjectFacts>;
  /** The parts between the prefix and the next `/`, as complete prefixes that end in `/`. */
  listPrefixes(prefix: string, options?: CallOptions): AsyncIterable<string>;
  listUploads(prefix: string, options?: CallOptions): AsyncIterable<Upload>;
  /** Makes the put of this upload fail, wherever it runs. Succeeds when there is no such upload. */
  abortUpload(upload: Upload, options?: CallOptions): Promise<void>;
  /** A temporary link that lets anyone read the object; undefined if the store has no URL. */
  downloadUrl(key: string, expiresInSeconds: number, options?: CallOptions): Promise<string | undefined>;
  /** Closes idle connections. */
  close(): void;
}
