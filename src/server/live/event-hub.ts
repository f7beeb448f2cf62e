import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/index.ts';
import type { MaySee, OperationTree, UnseenCluster } from '../../core/operations/index.ts';
import type { Metrics } from '../metrics.ts';
import { EventReader, heartbeatPiece, type ReaderSink } from './event-reader.ts';
import { View, type ViewQuery } from './view.ts';

export interface HubOptions {
  batchMs: number;
  heartbeatMs: number;
  stuckMs: number;
}

export interface HubDeps {
  clock: Clock;
  metrics: Metrics;
  /** The clusters that cannot be seen. */
  unseen?: (now: number) => UnseenCluster[];
}

export interface Subscription {
  query: ViewQuery;
  maySee: MaySee;
  /** Equal for readers who may see the same. */
  rights: string;
  lastEventId?: string | undefined;
}

/**
 * Sends what changes to every open stream, in batches that are made once for all who see the same. Nothing is queued: a
 * reader that is slow is skipped, and gets the newest state of everything it missed when it can take more.
 */
export class EventHub {
  readonly #tree: OperationTree;
  readonly #deps: HubDeps;
  readonly #options: HubOptions;
  readonly #epoch = randomBytes(6).toString('base64url');
  readonly #views = new Map<string, { view: View; readers: Set<EventReader> }>();
  readonly #stop = new AbortController();
  #isDue = false;
  #running: Promise<void> | undefined;

  constructor(tree: OperationTree, options: HubOptions, deps: HubDeps) {
    this.#tree = tree;
    this.#options = options;
    this.#deps = deps;
  }

  get size(): number {
    return [...this.#views.values()].reduce((sum, { readers }) => sum + readers.size, 0);
  }

  start(): void {
    this.#running = this.#beat();
  }

  /** Something changed; it goes out with the next batch. */
  wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#sendSoon();
  }

  subscribe(subscription: Subscription, sink: ReaderSink): EventReader {
    const now = this.#deps.clock.now();
    const version = this.#resumable(subscription.lastEventId);
    const reader = new EventReader(sink, this.#deps);
    this.#join(reader, subscription);
    reader.begin(version, now);
    // A snapshot may be a moment old; what changed since goes out with the next batch.
    this.wake();
    return reader;
  }

  /** The reader may see something else now than before; what it has is replaced. */
  change(reader: EventReader, subscription: Subscription): void {
    this.leave(reader);
    this.#join(reader, subscription);
    reader.begin(undefined, this.#deps.clock.now());
    this.wake();
  }

  leave(reader: EventReader): void {
    for (const [key, { readers }] of this.#views) {
      if (readers.delete(reader) && readers.size === 0) this.#views.delete(key);
    }
    this.#deps.metrics.set('headway_streams', {}, this.size);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const { readers } of this.#views.values()) for (const reader of readers) reader.end();
    await this.#running;
  }

  #join(reader: EventReader, { query, maySee, rights }: Subscription): void {
    const key = JSON.stringify([rights, query]);
    const found = this.#views.get(key) ?? {
      view: new View(this.#tree, { query, maySee, epoch: this.#epoch }),
      readers: new Set<EventReader>(),
    };
    this.#views.set(key, found);
    found.readers.add(reader);
    reader.attach(found.view, this.#tree);
    this.#deps.metrics.set('headway_streams', {}, this.size);
  }

  /** The version to go on from, when it is one of ours. */
  #resumable(lastEventId: string | undefined): number | undefined {
    const [, epoch, version] = /^(.*)-(\d+)$/.exec(lastEventId ?? '') ?? [];
    return epoch === this.#epoch ? Number(version) : undefined;
  }

  async #sendSoon(): Promise<void> {
    // The only rejection is the stop signal's, after which nobody is there to be sent anything.
    await this.#deps.clock.sleep(this.#options.batchMs, this.#stop.signal).catch(() => undefined);
    this.#isDue = false;
    if (!this.#stop.signal.aborted) this.#send();
  }

  #send(): void {
    const now = this.#deps.clock.now();
    for (const { readers } of this.#views.values()) for (const reader of readers) reader.update(now);
  }

  async #beat(): Promise<void> {
    const { heartbeatMs, stuckMs } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const now = this.#deps.clock.now();
      const heartbeat = heartbeatPiece(now, this.#deps.unseen?.(now));
      for (const { view, readers } of this.#views.values()) {
        view.forgetOld(now);
        for (const reader of readers) reader.beat(heartbeat, now, { heartbeatMs, stuckMs });
      }
      // The only rejection is the stop signal's, and the loop looks at that itself.
      await this.#deps.clock.sleep(heartbeatMs / 2, signal).catch(() => undefined);
    }
  }
}
