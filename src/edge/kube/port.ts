import type { AppError, JsonObject, JsonPatchOperation } from '../../base/index.ts';
import type { KubeMeta, KubeObject } from '../../api/meta/kube-object.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';

export type { KubeMeta, KubeObject } from '../../api/meta/kube-object.ts';
export type { JsonPatchOperation } from '../../base/index.ts';

export interface Target {
  type: ResourceType;
  /** Absent for cluster-scoped kinds, and for lists and watches over all namespaces. */
  namespace?: string;
}
export interface NamedTarget extends Target {
  name: string;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** From the first byte sent to the last byte received, retries included. Default 30 s. */
  deadlineMs?: number;
}
export interface GetOptions extends CallOptions {
  /** `metadata.managedFields` may be empty, whatever the server has: they are half of many objects. */
  isLean?: boolean;
}
export interface WriteOptions extends CallOptions {
  dryRun?: boolean;
  fieldManager?: string;
  fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
}

export interface CreateTextOptions extends WriteOptions {
  /** The answer is wanted if it has this text in it. */
  readIf?: string;
}

export interface ListOptions extends CallOptions {
  labelSelector?: string;
  fieldSelector?: string;
  /** Items per page; default 500. */
  limit?: number;
  resourceVersion?: string;
  /** For long lists: items are parsed one by one. The reader must release each page. */
  isLong?: boolean;
  /** The `more` of an earlier page: the list goes on behind it. */
  from?: string;
  /** Items on the first page, where that is to be small; default `limit`. */
  firstLimit?: number;
  /** Where items are large, pages get fewer of them than `limit`, so that a page is about as long. */
  pageBytes?: number;
}
export interface Page {
  /**
   * In the list's order. In a long list each item is parsed when it is reached, and may throw; the next one can still
   * be read.
   */
  items: Iterable<KubeObject> & { readonly length: number };
  /** The same items, for whoever does not need all of each; only long lists have them. */
  listed?: Iterable<ListedObject>;
  resourceVersion: string;
  /** How many items follow this page, if the server knows; it does not count when labels or fields are selected. */
  remaining?: number;
  /** From where the list goes on; absent on the last page. */
  more?: string;
  /** True when an expired continue token made the list start over: everything seen before must be discarded. */
  restarted: boolean;
  /** Length of the server's answer. */
  length?: number;
  /** Memory that the page holds until it is released. */
  bytes?: number;
  /** Frees the memory of a page of a long list; its items cannot be read any more. */
  release?: () => void;
}

/** An object of a long list, which is parsed only if somebody asks for it. */
export interface ListedObject {
  /** With empty annotations and managedFields, which are half of many objects. */
  readonly metadata: KubeMeta;
  /**
   * As the server has written it; undefined if nobody has that, or after the page was released. An item of a
   * built-in kind usually has neither apiVersion nor kind there.
   */
  json(): Buffer | undefined;
  /** All of it. Throws if it is broken. */
  parse(): KubeObject;
}

export interface WatchOptions {
  signal?: AbortSignal;
  labelSelector?: string;
  fieldSelector?: string;
  resourceVersion?: string;
  /**
   * If no byte arrives for this long (bookmarks count), the watch ends with a timeout error. Default 90 s. The server
   * is asked to end it cleanly somewhat earlier, so that a watch in which nothing happens is not mistaken for a dead
   * one.
   */
  inactivityMs?: number;
  /** The server has answered: from now on silence means that nothing happens. */
  onOpen?: () => void;
}
export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: KubeObject; resourceVersion: string }
  | { type: 'BOOKMARK'; resourceVersion: string };

export type Patch =
  { kind: 'merge' | 'strategic' | 'apply'; body: JsonObject } | { kind: 'json'; body: readonly JsonPatchOperation[] };
export interface PatchOptions extends WriteOptions {
  subresource?: 'status' | 'scale';
  force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  propagation?: 'Background' | 'Foreground' | 'Orphan';
  preconditions?: { uid?: string; resourceVersion?: string };
  gracePeriodSeconds?: number;
  dryRun?: boolean;
}

/** The cluster as the rest of Headway sees it. Errors are AppErrors whose details contain the server's Status. */
export interface Kube {
  get(target: NamedTarget, options?: GetOptions): Promise<KubeObject>;
  /** Pages in order; an expired token starts over with `restarted: true`. */
  list(target: Target, options?: ListOptions): AsyncIterable<Page>;
  /**
   * Ends when the server closes it cleanly; throws `gone` for 410, `timeout` for silence, `unreachable` for a broken
   * connection.
   */
  watch(target: Target, options?: WatchOptions): AsyncIterable<WatchEvent>;
  /** A create whose answer was lost is never blindly repeated: the object is read back and compared. */
  create(target: Target, object: KubeObject, options?: WriteOptions): Promise<KubeObject>;
  replace(target: NamedTarget, object: KubeObject, options?: PatchOptions): Promise<KubeObject>;
  patch(target: NamedTarget, patch: Patch, options?: PatchOptions): Promise<KubeObject>;
  delete(target: NamedTarget, options?: DeleteOptions): Promise<KubeObject | undefined>;
}

/** One kind as the server announces it. */
export interface ApiResource extends ResourceType {
  /** True when this is the version the server prefers for the group. */
  preferred: boolean;
  singular: string;
  shortNames: readonly string[];
  categories: readonly string[];
  verbs: readonly string[];
  subresources: readonly { name: string; kind: string; verbs: readonly string[] }[];
}
export interface DiscoveryFailure {
  group: string;
  version: string;
  error: AppError;
}
export interface Discovery {
  /** In the server's order: core first, then by the server's priority of groups and versions. */
  resources: readonly ApiResource[];
  /** Group versions that did not answer. Their kinds are unknown, which is not the same as absent. */
  failures: readonly DiscoveryFailure[];
}

export interface PodTarget {
  namespace: string;
  name: string;
  /** May be omitted when the pod has only one. */
  container?: string;
}

export interface ExecOptions {
  command: readonly string[];
  /**
   * Opened when the command begins, and read only as fast as the command consumes it; its end closes the command's stdin
   * (see `exec` for old servers).
   */
  stdin?: AsyncIterable<Uint8Array>;
  /** The next bytes wait for the promise, so a slow sink slows the command down instead of filling memory. */
  stdout?: (bytes: Uint8Array) => void | Promise<void>;
  stderr?: (bytes: Uint8Array) => void | Promise<void>;
  signal?: AbortSignal;
  /** From the handshake to the exit code. There is no default: only the caller knows how long its command may take. */
  deadlineMs: number;
}

export interface LogOptions {
  /** Continues until the container ends; by default it stops at the end of what was written so far. */
  follow?: boolean;
  /** The container instance before the current one. */
  previous?: boolean;
  /** Only this many lines from the end, then what follows. */
  tail?: number;
  /** RFC 3339; the server only considers whole seconds. */
  since?: string;
  /** Longer lines are cut. Default 64 KiB. */
  maxLineBytes?: number;
  /** Keeps trying while the node or the server does not answer, until the signal ends it; by default it gives up. */
  isPatient?: boolean;
  signal?: AbortSignal;
}
export interface LogLine {
  /** RFC 3339 with nanoseconds, as the node wrote it; absent if the server sent a line without one. */
  time?: string;
  line: string;
  /** True when the line exceeded the limit and the rest of it was dropped. */
  cut?: boolean;
}

/** The cluster for callers that also need discovery, access to pods, or to create thousands of objects. */
export interface KubeClient extends Kube {
  /**
   * `create` for the bytes of an object's JSON text, whose answer hardly anybody needs: it is parsed only if `readIf` says
   * so. While the request is in flight there are only these bytes. Gives the object as the server has it, if that was
   * parsed.
   */
  createText(target: NamedTarget, text: Buffer, options?: CreateTextOptions): Promise<KubeObject | undefined>;
  /** `patch` whose answer nobody needs: it is not parsed. */
  patchUnread(target: NamedTarget, patch: Patch, options?: PatchOptions): Promise<void>;
  /** The server's version, such as `v1.36.3`. */
  version(options?: CallOptions): Promise<string>;
  /** What the server serves now; a broken group is named in `failures` and hides nothing else. Not cached. */
  discover(options?: CallOptions): Promise<Discovery>;
  /**
   * Runs a command in a container. A non-zero exit code is a result, not an error; a connection that ended before the
   * exit code arrived is `unreachable`. Servers before 1.30 (v4 protocol) cannot be told that stdin ended.
   */
  exec(pod: PodTarget, options: ExecOptions): Promise<{ exitCode: number }>;
  /** Every line once, in order, across any number of broken connections. */
  logs(pod: PodTarget, options?: LogOptions): AsyncIterable<LogLine>;
  close(): Promise<void>;
}
