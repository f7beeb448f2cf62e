import { AppError, backoffMs, isAppError, type Clock } from '../../../base/index.ts';
import { withInactivityLimit } from '../inactivity.ts';
import { LineSplitter, type Line } from '../line-splitter.ts';
import { LogLedger } from './log-ledger.ts';
import { podPath } from '../path.ts';
import type { LogLine, LogOptions, PodTarget } from '../port.ts';
import { readStamp } from './rfc3339-nano.ts';
import { attemptAt, describeAttempt } from '../transport/attempted.ts';
import type { Query, Transport } from '../transport/transport.ts';

export interface LogReaderDeps {
  transport: Transport;
  clock: Clock;
  /** In [0, 1). */
  random: () => number;
  /** A connection without a byte for this long is reopened, because it may be half open. Default 5 min. */
  quietMs?: number;
}

/**
 * How one connection ended. `rest` is what came after the last newline: the start of a line, or all of the last one.
 */
export type PassEnd = { clean: true; rest: string | undefined; brought: number } | { clean: false; error: unknown };

const QUIET_MS = 300_000;
const MAX_LINE_BYTES = 64 * 1024;
const MAX_TRIES = 20;
/** After this many readings without a new line, the end is accepted even if a known line did not come again. */
const UNPROVEN_READINGS = 5;
const BACKOFF = { baseMs: 200, maxMs: 10_000 };
/** A connection that lasted this long was good; it was closed by somebody's idle limit. */
const GOOD_CONNECTION_MS = 10_000;

/** Reads one container's log over as many connections as needed, each line once. */
export class LogReader {
  readonly #deps: LogReaderDeps;
  readonly #pod: PodTarget;
  readonly #options: LogOptions;
  readonly #ledger: LogLedger;
  #tries = 0;
  /** Connections that ended cleanly. */
  #readings = 0;

  constructor(deps: LogReaderDeps, pod: PodTarget, options: LogOptions) {
    this.#deps = deps;
    this.#pod = pod;
    this.#options = options;
    this.#ledger = new LogLedger(options.tail !== undefined);
  }

  /**
   * Reads everything available; returns the text after the last newline. A server also ends its answer cleanly if its
   * own connection to the node broke (seen with kube-apiserver 1.36), so an end is trusted only when another reading
   * came as far and returned nothing new. A rotated log cannot come as far, and a growing one would never end, so the
   * caller may set a limit.
   */
  async *readAll(query: Query, maxReadings = Infinity): AsyncGenerator<LogLine, string | undefined> {
    let rest: string | undefined;
    let agreeing = 0;
    for (let readings = 0; ;) {
      const end = yield* this.readOnce(query);
      if (!end.clean) {
        await this.pause(end.error);
        continue;
      }
      readings += 1;
      agreeing = end.brought === 0 && end.rest === rest ? agreeing + 1 : 0;
      rest = end.rest;
      const isProven = agreeing > 0 && this.#readings > 1 && this.#ledger.hasMetAll;
      // In the middle of a line it was certainly cut off, so try much longer.
      const most = rest === undefined ? maxReadings : 10 * maxReadings;
      if (isProven || agreeing >= UNPROVEN_READINGS || readings >= most) return rest;
      if (agreeing > 0) await this.pause(this.endedEarly());
    }
  }

  /** One connection. Throws errors that a retry cannot fix. */
  async *readOnce(query: Query): AsyncGenerator<LogLine, PassEnd> {
    const { transport, clock, quietMs = QUIET_MS } = this.#deps;
    const splitter = new LineSplitter(this.#options.maxLineBytes ?? MAX_LINE_BYTES);
    const path = podPath(this.#pod, 'log');
    const { signal } = this.#options;
    const began = clock.now();
    let brought = 0;
    this.#ledger.beginReplay();
    try {
      const stream = await transport.stream({
        method: 'GET',
        path,
        query: { container: this.#pod.container, timestamps: true, ...query, ...this.#start(query) },
        accept: '*/*',
        ...(signal === undefined ? {} : { signal }),
      });
      for await (const chunk of withInactivityLimit(stream, quietMs, this.#what())) {
        for (const line of splitter.push(chunk)) {
          const admitted = this.admit(line);
          if (admitted === undefined) continue;
          brought += 1;
          yield admitted;
        }
      }
      this.#readings += 1;
      return { clean: true, rest: splitter.rest(), brought };
    } catch (error) {
      signal?.throwIfAborted();
      if (!isAppError(error) || error.retry === 'never') throw error;
      return { clean: false, error };
    } finally {
      if (clock.now() - began >= GOOD_CONNECTION_MS) this.#tries = 0;
    }
  }

  /** The line without its time, or undefined if it was returned before. */
  admit(line: Line): LogLine | undefined {
    const stamp = readStamp(line.text);
    if (!this.#ledger.admit(line.text, stamp?.nanos)) return undefined;
    this.#tries = 0;
    return {
      ...(stamp === undefined ? {} : { time: stamp.time }),
      line: stamp?.rest ?? line.text,
      ...(line.cut ? { cut: true } : {}),
    };
  }

  /** Waits before the next connection; throws if none of the last ones returned anything. */
  async pause(error: unknown): Promise<void> {
    this.#tries += 1;
    if (this.#tries > MAX_TRIES && this.#options.isPatient !== true) throw error;
    const { clock, random } = this.#deps;
    await clock.sleep(backoffMs(this.#tries - 1, BACKOFF, random()), this.#options.signal);
  }

  endedEarly(): AppError {
    const said = 'the server ended the log early, and further connections brought no more';
    return new AppError('unreachable', `${this.#what()}: ${said}`);
  }

  #what(): string {
    return describeAttempt(attemptAt(this.#deps.transport, 'GET', podPath(this.#pod, 'log')));
  }

  #start(query: Query): Query {
    const { since } = this.#options;
    const from = this.#ledger.replayFrom;
    if (from === undefined) return { sinceTime: since };
    const asked = since === undefined ? undefined : readStamp(since)?.nanos;
    const later = asked !== undefined && asked > from ? since : new Date(Number(from / 1_000_000n)).toISOString();
    return { ...('tailLines' in query ? { tailLines: undefined } : {}), sinceTime: later?.replace('.000Z', 'Z') };
  }
}
