/** Runs one request; the version of a patient store runs it again while the store is away. */
export type Retrier = <T>(request: () => Promise<T>) => Promise<T>;

export interface CallOptions {
  /** An aborted call throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Put there by `withPatience`; without it every request is made once. */
  retry?: Retrier | undefined;
}

export interface PutOptions extends CallOptions {
  /** Bytes that were handed to the store so far; never falls, and is exact at the end. */
  onProgress?: ((bytesSent: number) => void) | undefined;
}

export interface GetOptions extends CallOptions {
  range?: { offset: number; length?: number } | undefined;
  /** Only this version of the object, as `ObjectFacts.version` named it; `conflict` when it was replaced. */
  version?: string | undefined;
}

/** The bytes of an object. A function can be called again, so a put that lost its upload can start over. */
export type Source = AsyncIterable<Uint8Array> | (() => AsyncIterable<Uint8Array>);

export interface ObjectFacts {
  key: string;
  size: number;
  /** Milliseconds since 1970. */
  modified: number;
  /** Changes whenever the object is replaced; means nothing otherwise. */
  version: string;
}

export interface StoredObject extends ObjectFacts {
  /** Must be read to its end or left with `break`, or what it holds open stays open. */
  body: AsyncIterable<Uint8Array>;
}

/** A put that has not become an object. */
export interface Upload {
  key: string;
  id: string;
  /** Milliseconds since 1970. */
  started: number;
}

/**
 * An object store, or a part of one. An object is visible as a whole or not at all. Every wait has a limit, every
 * error is an AppError: `notFound`, `forbidden`, `unauthenticated`, `untrusted`, `tooLarge` (also: the disk is full),
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
  /** All objects whose key begins with the prefix, ordered by their key's bytes as far as the store does that. */
  list(prefix: string, options?: CallOptions): AsyncIterable<ObjectFacts>;
  /** What stands between the prefix and the next `/`, as whole prefixes that end in `/`. */
  listPrefixes(prefix: string, options?: CallOptions): AsyncIterable<string>;
  listUploads(prefix: string, options?: CallOptions): AsyncIterable<Upload>;
  /** The put that makes this upload, wherever it runs, will fail. Succeeds when there is no such upload. */
  abortUpload(upload: Upload, options?: CallOptions): Promise<void>;
  /** A link with which anybody can read the object for a while; undefined when the store has no address of its own. */
  downloadUrl(key: string, expiresInSeconds: number, options?: CallOptions): Promise<string | undefined>;
  /** Closes idle connections. */
  close(): void;
}
