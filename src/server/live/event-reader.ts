import type { Clock } from '../../base/index.ts';
import type { HeartbeatEvent, OperationTree, UnseenCluster } from '../../core/operations/index.ts';
import type { Metrics } from '../metrics.ts';
import { eventText, GZIP_BEGIN, Piece } from './event-text.ts';
import type { View } from './view.ts';

/** Where a reader's bytes go: a part of ServerResponse. */
export interface ReaderSink {
  /** False: no more until it has drained. */
  write(bytes: Uint8Array): boolean;
  onDrain(listener: () => void): void;
  end(): void;
  /** Cuts the connection, for a reader that does not even take an end. */
  destroy(): void;
  takesGzip: boolean;
}

/** One open stream: what it has been sent so far, and nothing that it has not. */
export class EventReader {
  readonly #sink: ReaderSink;
  readonly #deps: { clock: Clock; metrics: Metrics };
  #view: View | undefined;
  #tree: OperationTree | undefined;
  #version = 0;
  #hasSnapshot = false;
  #isBlocked = false;
  #sentAt: number;
  #blockedAt = 0;
  /** What the last heartbeat said of clusters that are not seen. */
  #told = heartbeatPiece(0).news;

  constructor(sink: ReaderSink, deps: { clock: Clock; metrics: Metrics }) {
    this.#sink = sink;
    this.#deps = deps;
    this.#sentAt = deps.clock.now();
    if (sink.takesGzip) sink.write(GZIP_BEGIN);
    sink.onDrain(() => {
      this.#drained();
    });
  }

  attach(view: View, tree: OperationTree): void {
    this.#view = view;
    this.#tree = tree;
    this.#hasSnapshot = false;
  }

  /** From a version that the reader has, or with everything. */
  begin(version: number | undefined, now: number): void {
    if (version !== undefined) {
      this.#version = version;
      this.#hasSnapshot = true;
    }
    // A reader that goes on where it was hears something at once as well, so that it knows it is live.
    if (!this.update(now)) this.#send(heartbeatPiece(now).piece, now);
  }

  /** Sends what is new; true when something was. */
  update(now: number): boolean {
    if (this.#isBlocked || this.#view === undefined || this.#tree === undefined) return false;
    const to = this.#tree.version;
    const news = this.#hasSnapshot ? this.#view.since(this.#version, now) : 'unknown';
    if (news === 'unknown') {
      const { version, piece } = this.#view.snapshot(now);
      this.#version = version;
      this.#hasSnapshot = true;
      this.#send(piece, now);
      return true;
    }
    this.#version = to;
    if (news !== undefined) this.#send(news, now);
    return news !== undefined;
  }

  beat(heartbeat: Heartbeat, now: number, { heartbeatMs, stuckMs }: { heartbeatMs: number; stuckMs: number }): void {
    if (this.#isBlocked) {
      if (now - this.#blockedAt > stuckMs) this.#sink.destroy();
    } else if (now - this.#sentAt >= heartbeatMs || this.#told !== heartbeat.news) {
      this.#told = heartbeat.news;
      this.#send(heartbeat.piece, now);
    }
  }

  end(): void {
    this.#sink.end();
  }

  #send(piece: Piece, now: number): void {
    this.#sentAt = now;
    if (this.#sink.write(this.#sink.takesGzip ? piece.gzipped : piece.plain)) return;
    this.#isBlocked = true;
    this.#blockedAt = now;
  }

  #drained(): void {
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    const now = this.#deps.clock.now();
    if (this.update(now)) this.#deps.metrics.add('headway_streams_slow_total', {});
  }
}

export interface Heartbeat {
  piece: Piece;
  /** What is worth an event of its own when it changes. */
  news: string;
}

export function heartbeatPiece(now: number, unseen: readonly UnseenCluster[] = []): Heartbeat {
  const event: HeartbeatEvent = { now: new Date(now).toISOString(), unseen: [...unseen] };
  return { piece: new Piece(eventText('heartbeat', JSON.stringify(event))), news: JSON.stringify(unseen) };
}
