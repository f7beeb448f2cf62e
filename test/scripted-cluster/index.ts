/**
 * A cluster in memory that keeps Kubernetes' promises (resourceVersion, 409, 410, watch order) and fails on command.
 * It must never be lenient where a real API server is strict; the clients' own mistakes would hide behind it.
 */
import { AppError, applyMergePatch, type Clock, type JsonObject } from '../../src/base/index.ts';
import type { ResourceType } from '../../src/api/meta/resource-type.ts';
import type {
  CallOptions,
  DeleteOptions,
  Kube,
  KubeObject,
  ListOptions,
  NamedTarget,
  Page,
  Patch,
  PatchOptions,
  Target,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../../src/edge/kube/port.ts';
import { WatchFeed } from './watch-feed.ts';

export interface ScriptedCall {
  verb: 'get' | 'list' | 'watch' | 'create' | 'replace' | 'patch' | 'delete';
  target: Target & { name?: string };
  /** Of a list, from 0. */
  page?: number;
  body?: unknown;
}
type Fault = (call: ScriptedCall) => void | Promise<void>;

interface OpenWatch {
  target: Target;
  labelSelector: string;
  feed: WatchFeed;
}
interface Past {
  version: number;
  target: NamedTarget;
  event: WatchEvent;
}

export class ScriptedCluster implements Kube {
  /** Every call, when it reached the server. */
  readonly calls: ScriptedCall[] = [];
  /** Before the server acts: throw to refuse, wait to be slow. */
  before: Fault = () => undefined;
  /** After it has acted: throw to lose the answer, wait to delay it. */
  after: Fault = () => undefined;
  /** Kinds with the status subresource. */
  readonly kindsWithStatus = new Set<string>();
  readonly #clock: Clock;
  readonly #objects = new Map<string, { target: NamedTarget; object: KubeObject }>();
  readonly #watches = new Set<OpenWatch>();
  #past: Past[] = [];
  #version = 1;
  #compactedAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  /** What the server holds, without a call. */
  peek(target: NamedTarget): KubeObject | undefined {
    return structuredClone(this.#objects.get(pathOf(target))?.object);
  }

  /** Forgets the past, so that watches from an older version are answered with 410. */
  compact(): void {
    this.#past = [];
    this.#compactedAt = this.#version;
  }

  endWatches(error?: Error): void {
    for (const { feed } of this.#watches) feed.end(error);
  }

  muteWatches(): void {
    for (const { feed } of this.#watches) feed.isMute = true;
  }

  bookmark(): void {
    for (const { feed } of this.#watches) feed.push({ type: 'BOOKMARK', resourceVersion: String(this.#version) });
  }

  get(target: NamedTarget, options: CallOptions = {}): Promise<KubeObject> {
    return this.#call({ verb: 'get', target }, options, () => this.#find(target));
  }

  async *list(target: Target, options: ListOptions = {}): AsyncGenerator<Page> {
    const limit = options.limit ?? 500;
    let snapshot = this.#select(target, options.labelSelector);
    let version = String(this.#version);
    let restarted = false;
    for (let page = 0; ; page += 1) {
      const from = page * limit;
      try {
        const items = await this.#call({ verb: 'list', target, page }, options, () => {
          // The first page is read when the server answers, the others from the same snapshot.
          if (page === 0) {
            snapshot = this.#select(target, options.labelSelector);
            version = String(this.#version);
          }
          return snapshot.slice(from, from + limit);
        });
        yield { items, resourceVersion: version, remaining: Math.max(0, snapshot.length - from - limit), restarted };
        restarted = false;
        if (from + limit >= snapshot.length) return;
      } catch (error) {
        if (page === 0 || !(error instanceof AppError) || error.code !== 'gone') throw error;
        restarted = true;
        page = -1;
      }
    }
  }

  async *watch(target: Target, options: WatchOptions = {}): AsyncGenerator<WatchEvent> {
    const feed = new WatchFeed(options, this.#clock);
    const open = { target, feed, labelSelector: options.labelSelector ?? '' };
    const callOptions = options.signal === undefined ? {} : { signal: options.signal };
    await this.#call({ verb: 'watch', target }, callOptions, () => {
      const from = Number(options.resourceVersion ?? this.#version);
      if (from < this.#compactedAt) throw new AppError('gone', `too old resource version: ${from}`);
      for (const past of this.#past) {
        const isWanted = matches(target, past.target) && hasLabels(objectOf(past.event), open.labelSelector);
        if (past.version > from && isWanted) feed.push(structuredClone(past.event));
      }
      this.#watches.add(open);
    });
    options.onOpen?.();
    try {
      yield* feed.read();
    } finally {
      this.#watches.delete(open);
    }
  }

  create(target: Target, object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const named = { ...target, name: object.metadata.name };
    return this.#call({ verb: 'create', target: named, body: object }, options, () => {
      if (this.#objects.has(pathOf(named))) {
        throw new AppError('alreadyExists', `${target.type.plural} "${named.name}" already exists`);
      }
      const version = this.#version + 1;
      const metadata = {
        ...object.metadata,
        ...(target.namespace === undefined ? {} : { namespace: target.namespace }),
        uid: `uid-${version}`,
        creationTimestamp: this.#time(),
        generation: 1,
      };
      const created: KubeObject = { ...structuredClone(object), metadata };
      if (this.kindsWithStatus.has(target.type.kind)) Reflect.deleteProperty(created, 'status');
      return this.#save(named, 'ADDED', created);
    });
  }

  replace(target: NamedTarget, object: KubeObject, options: PatchOptions = {}): Promise<KubeObject> {
    return this.#call({ verb: 'replace', target, body: object }, options, () =>
      this.#update(target, this.#find(target), structuredClone(object), options),
    );
  }

  patch(target: NamedTarget, patch: Patch, options: PatchOptions = {}): Promise<KubeObject> {
    return this.#call({ verb: 'patch', target, body: patch.body }, options, () => {
      if (patch.kind !== 'merge') throw new AppError('unsupported', `scripted cluster knows merge patches only`);
      const before = this.#find(target);
      return this.#update(target, before, applyMergePatch(before, patch.body) as KubeObject, options);
    });
  }

  delete(target: NamedTarget, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    return this.#call({ verb: 'delete', target }, options, () => {
      const object = this.#find(target);
      const { uid = object.metadata.uid } = options.preconditions ?? {};
      if (uid !== object.metadata.uid) throw conflict(target, 'the uid in the precondition differs');
      if (object.metadata['finalizers']?.length) {
        const deletionTimestamp = object.metadata.deletionTimestamp ?? this.#time();
        return this.#save(target, 'MODIFIED', { ...object, metadata: { ...object.metadata, deletionTimestamp } });
      }
      this.#objects.delete(pathOf(target));
      this.#save(target, 'DELETED', object);
      return object;
    });
  }

  /** Every version of an object so far, oldest first; of all that ever had its name. */
  history(target: NamedTarget): KubeObject[] {
    const path = pathOf(target);
    return this.#past.flatMap(({ target: of, event }) =>
      pathOf(of) === path && event.type !== 'BOOKMARK' ? [structuredClone(event.object)] : [],
    );
  }

  #time(): string {
    return new Date(this.#clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  /** Hooks, deadline and abort around what the server does at one instant. */
  async #call<T>(call: ScriptedCall, options: CallOptions, act: () => T): Promise<T> {
    const { signal, deadlineMs = 30_000 } = options;
    signal?.throwIfAborted();
    const timer = new AbortController();
    const abort = (): void => {
      timer.abort(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const late = this.#clock.sleep(deadlineMs, timer.signal).then(() => {
      throw new AppError('timeout', `${call.verb} ${call.target.type.plural} took longer than ${deadlineMs} ms`);
    });
    const answer = (async () => {
      await this.before(call);
      this.calls.push(call);
      const result = structuredClone(act());
      await this.after(call);
      return result;
    })();
    // Whichever loses the race must not count as unhandled: the server goes on after a client has left.
    answer.catch(() => undefined);
    late.catch(() => undefined);
    try {
      return await Promise.race([answer, late]);
    } finally {
      signal?.removeEventListener('abort', abort);
      timer.abort();
    }
  }

  #update(target: NamedTarget, before: KubeObject, after: KubeObject, options: PatchOptions): KubeObject {
    const expected = after.metadata.resourceVersion;
    if (expected !== undefined && expected !== before.metadata.resourceVersion) {
      throw conflict(target, 'the object has been modified; please apply your changes to the latest version');
    }
    if (after.metadata.uid !== undefined && after.metadata.uid !== before.metadata.uid) {
      throw conflict(target, 'the uid in the precondition differs');
    }
    const hasStatus = this.kindsWithStatus.has(target.type.kind);
    if (options.subresource === 'status' && !hasStatus) {
      throw new AppError('notFound', 'the server could not find the requested resource');
    }
    const merged: JsonObject = hasStatus ? isolate(before, after, options.subresource === 'status') : after;
    const metadata = { ...before.metadata, ...(merged['metadata'] as JsonObject) };
    const saved = { ...merged, metadata } as KubeObject;
    const isGone = saved.metadata.deletionTimestamp !== undefined && !metadata['finalizers']?.length;
    if (!isGone) return this.#save(target, 'MODIFIED', saved);
    this.#objects.delete(pathOf(target));
    return this.#save(target, 'DELETED', saved);
  }

  #save(target: NamedTarget, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): KubeObject {
    this.#version += 1;
    const resourceVersion = String(this.#version);
    object.metadata = { ...object.metadata, resourceVersion };
    if (type !== 'DELETED') this.#objects.set(pathOf(target), { target, object });
    const event: WatchEvent = { type, object: structuredClone(object), resourceVersion };
    this.#past.push({ version: this.#version, target, event });
    for (const watch of this.#watches) {
      if (matches(watch.target, target) && hasLabels(object, watch.labelSelector))
        watch.feed.push(structuredClone(event));
    }
    return object;
  }

  #find(target: NamedTarget): KubeObject {
    const found = this.#objects.get(pathOf(target));
    if (found === undefined) throw new AppError('notFound', `${target.type.plural} "${target.name}" not found`);
    return found.object;
  }

  #select(target: Target, labelSelector = ''): KubeObject[] {
    const found = [...this.#objects.values()].filter(
      (entry) => matches(target, entry.target) && hasLabels(entry.object, labelSelector),
    );
    return structuredClone(found.map((entry) => entry.object));
  }
}

function isolate(before: KubeObject, after: KubeObject, isStatusWrite: boolean): JsonObject {
  return isStatusWrite
    ? { ...before, status: after['status'] }
    : { ...after, ...('status' in before ? { status: before['status'] } : { status: undefined }) };
}

function matches(wanted: Target, target: Target): boolean {
  if (typeKey(wanted.type) !== typeKey(target.type)) return false;
  return wanted.namespace === undefined || wanted.namespace === target.namespace;
}

function objectOf(event: WatchEvent): KubeObject {
  return event.type === 'BOOKMARK' ? { apiVersion: '', kind: '', metadata: { name: '' } } : event.object;
}

/** Of the language of selectors only `key=value` and `key`, joined by commas. */
function hasLabels({ metadata }: KubeObject, selector: string): boolean {
  const labels = metadata['labels'] ?? {};
  return selector
    .split(',')
    .filter((part) => part !== '')
    .map((part) => part.split('='))
    .every(([key = '', value]) => (value === undefined ? key in labels : labels[key] === value));
}

function typeKey(type: ResourceType): string {
  return `${type.group}/${type.plural}`;
}

function pathOf(target: NamedTarget): string {
  return `${typeKey(target.type)}|${target.namespace ?? ''}/${target.name}`;
}

function conflict(target: NamedTarget, why: string): AppError {
  return new AppError('conflict', `operation cannot be fulfilled on ${target.type.plural} "${target.name}": ${why}`);
}
