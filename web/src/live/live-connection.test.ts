import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../src/base/index.ts';
import { LiveConnection, SILENCE_MS, type ConnectionPorts } from './live-connection.ts';
import { LiveStore } from './live-store.ts';

const SNAPSHOT = 'event: snapshot\nid: e-7\ndata: {"operations":[],"total":0}\n\n';

class HandClock {
  #now = 1_000_000;
  #timers = new Set<{ at: number; run: () => void }>();

  readonly now = (): number => this.#now;
  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at <= this.#now && this.#timers.delete(timer)) timer.run();
    }
  }
}

/** A stream that the test writes and breaks. */
function stream(): { body: ReadableStream<string>; write: (text: string) => void; end: () => void } {
  let control: ReadableStreamDefaultController<string> | undefined;
  const body = new ReadableStream<string>({
    start: (controller) => {
      control = controller;
    },
  });
  return {
    body,
    write: (text) => control?.enqueue(text),
    end: () => control?.close(),
  };
}

function connect(open: ConnectionPorts['open']): {
  store: LiveStore;
  clock: HandClock;
  life: AbortController;
  ended: Promise<void>;
} {
  const [store, clock, life] = [new LiveStore(), new HandClock(), new AbortController()];
  const pages: ConnectionPorts['pages'] = () => Promise.reject(new AppError('gone', 'no pages here'));
  const connection = new LiveConnection({ open, pages, store, clock });
  const ended = connection.run(life.signal);
  return { store, clock, life, ended };
}

describe('LiveConnection', () => {
  it('says within three seconds that a silent stream is broken', async () => {
    const first = stream();
    const { store, clock, life } = connect((_, signal) => {
      signal.addEventListener('abort', first.end);
      return Promise.resolve(first.body);
    });
    first.write(SNAPSHOT);
    await vi.waitFor(() => {
      expect(store.state().light.kind).toBe('live');
    });
    expect(SILENCE_MS).toBeLessThan(3000);
    clock.advance(SILENCE_MS);
    await vi.waitFor(() => {
      expect(store.state().light).toEqual({ kind: 'reconnecting', since: clock.now() });
    });
    life.abort();
  });

  it('opens again where it was, and is live again', async () => {
    const asked: (string | undefined)[] = [];
    const streams = [stream(), stream()];
    const { store, clock, life } = connect((lastEventId) => {
      const next = streams[asked.push(lastEventId) - 1];
      return next === undefined ? Promise.reject(new Error('no more')) : Promise.resolve(next.body);
    });
    streams[0]?.write(SNAPSHOT);
    await vi.waitFor(() => {
      expect(store.state().hasSnapshot).toBe(true);
    });
    streams[0]?.end();
    await vi.waitFor(() => {
      expect(store.state().light.kind).toBe('reconnecting');
    });
    clock.advance(200);
    streams[1]?.write('event: heartbeat\ndata: {}\n\n');
    await vi.waitFor(() => {
      expect(store.state().light.kind).toBe('live');
    });
    expect(asked).toEqual([undefined, 'e-7']);
    life.abort();
  });

  it.each(['unauthenticated', 'forbidden'] as const)('stops when the server says %s', async (code) => {
    const { store, ended } = connect(() => Promise.reject(new AppError(code, 'no')));
    await ended;
    expect(store.state().light).toEqual({ kind: 'refused', code, message: 'no' });
  });
});
