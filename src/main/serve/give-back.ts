import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a look at the process shows. */
export interface Usage {
  /** Processor time so far. */
  cpuMs: number;
  /** On the heap and in buffers, garbage included. */
  bytes: number;
}

const LOOK_EVERY_MS = 1000;
/** Looks at rest, one after the other. After a shorter pause the next operation would only be slower: its heap would have to grow again. */
const LOOKS_AT_REST = 30;
/** Of the time between two looks. An operation that waits for a slow server takes more, a server at rest takes less. */
const IDLE_SHARE = 0.03;
/** Less is not worth a pause of some 100 ms. */
const WORTH_BYTES = 8 * 1024 ** 2;

/**
 * Decides when to collect garbage: at rest, after work has left some behind. Left to V8 it would stay until the next
 * operation has made as much again, on top of what that one needs.
 */
export class GivingBack {
  #last: Usage;
  #restedFor = 0;
  /** What was left after the last collection. */
  #floor: number;

  constructor(now: Usage) {
    this.#last = now;
    this.#floor = now.bytes;
  }

  isTime(now: Usage, elapsedMs: number): boolean {
    const isIdle = now.cpuMs - this.#last.cpuMs < IDLE_SHARE * elapsedMs;
    this.#restedFor = isIdle ? this.#restedFor + 1 : 0;
    this.#last = now;
    // V8 may have collected by itself meanwhile.
    this.#floor = Math.min(this.#floor, now.bytes);
    return this.#restedFor >= LOOKS_AT_REST && now.bytes - this.#floor > WORTH_BYTES;
  }

  collected(now: Usage): void {
    this.#last = now;
    this.#restedFor = 0;
    this.#floor = now.bytes;
  }
}

/** Has garbage collected when the server is at rest, until it is disposed. */
export function giveBackAtRest(): Disposable {
  const collect = garbageCollector();
  const giving = new GivingBack(usage());
  let lookedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const isTime = giving.isTime(usage(), now - lookedAt);
    lookedAt = now;
    if (!isTime) return;
    collect();
    giving.collected(usage());
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
    },
  };
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { cpuMs: (user + system) / 1000, bytes: heapUsed + arrayBuffers };
}

/**
 * V8 gives its collector only to programs that ask for it. The last resort is the only way to get pages back that are
 * nearly empty; `bin/headway` sees to it that compiled code stays.
 */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext("() => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })") as () => void;
}
