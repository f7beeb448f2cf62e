import { isAppError, messageOf, TokenBuckets } from '../../../base/index.ts';
import type { Kube } from '../../../edge/kube/port.ts';
import { EVENT } from '../../../api/meta/builtin-types.ts';
import { eventName, eventNamespace, eventTime, newEvent, type EventInput } from './event-object.ts';
import type { Part, RuntimeDeps } from '../ports.ts';

export interface EventOptions {
  /** The source of the events, as kubectl shows it under FROM. */
  component: string;
  /** How many different events may wait to be sent; beyond that the oldest is lost. Default 200. */
  waitingLimit?: number;
}
export interface EventDeps extends RuntimeDeps {
  kube: Kube;
}

interface Waiting {
  input: EventInput;
  count: number;
}

const WRITE_DEADLINE_MS = 5_000;
// As in client-go: 25 events per object at once, then one every five minutes.
const BURST = 25;
const REFILL_MS = 300_000;
const SPEAKERS = 1000;

/**
 * Kubernetes Events, best effort: `record` never waits or throws, repetitions become a count, an object with too many
 * events is throttled, and an event that cannot be written is lost with a log line.
 */
export class EventRecorder implements Part {
  readonly name = 'event recorder';
  readonly #options: EventOptions;
  readonly #deps: EventDeps;
  readonly #waiting = new Map<string, Waiting>();
  readonly #limit: TokenBuckets;
  #arrival = Promise.withResolvers<undefined>();
  #lost = 0;

  constructor(options: EventOptions, deps: EventDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#limit = new TokenBuckets({ burst: BURST, refillMs: REFILL_MS, maxKeys: SPEAKERS }, deps.clock);
  }

  /** Events that were throttled, pushed out or could not be written. */
  get lost(): number {
    return this.#lost;
  }

  record(input: EventInput): void {
    const { about } = input;
    const key = `${eventNamespace(input)}/${eventName(input)}`;
    const known = this.#waiting.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#limit.take(about.uid ?? `${about.kind} ${about.namespace ?? ''}/${about.name}`) > 0) {
      this.#lost += 1;
      return;
    }
    this.#waiting.set(key, { input, count: 1 });
    this.#dropOldest();
    this.#arrival.resolve(undefined);
  }

  async run(signal: AbortSignal): Promise<void> {
    const wake = (): void => {
      this.#arrival.resolve(undefined);
    };
    signal.addEventListener('abort', wake, { once: true });
    while (!signal.aborted) {
      await this.#sendAll(signal);
      if (this.#waiting.size > 0) continue;
      await this.#arrival.promise;
      this.#arrival = Promise.withResolvers<undefined>();
    }
    signal.removeEventListener('abort', wake);
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    for (const [key, waiting] of this.#waiting) {
      if (signal.aborted) return;
      this.#waiting.delete(key);
      try {
        await this.#send(waiting, signal);
      } catch (error) {
        this.#lost += waiting.count;
        this.#deps.log.warn('event lost', { event: key, reason: waiting.input.reason, err: messageOf(error) });
      }
    }
  }

  async #send({ input, count }: Waiting, signal: AbortSignal): Promise<void> {
    const { kube, clock } = this.#deps;
    const target = { type: EVENT, namespace: eventNamespace(input) };
    const options = { signal, deadlineMs: WRITE_DEADLINE_MS };
    const event = newEvent(input, this.#options.component, count, clock.now());
    try {
      await kube.create(target, event, options);
      return;
    } catch (error) {
      if (!isAppError(error, 'alreadyExists', 'conflict')) throw error;
    }
    const named = { ...target, name: event.metadata.name };
    const known = await kube.get(named, options);
    const before = typeof known['count'] === 'number' ? known['count'] : 1;
    const body = {
      metadata: { resourceVersion: known.metadata.resourceVersion },
      count: before + count,
      lastTimestamp: eventTime(clock.now()),
    };
    await kube.patch(named, { kind: 'merge', body }, options);
  }

  #dropOldest(): void {
    if (this.#waiting.size <= (this.#options.waitingLimit ?? 200)) return;
    for (const [key, { count }] of this.#waiting) {
      this.#waiting.delete(key);
      this.#lost += count;
      return;
    }
  }
}
