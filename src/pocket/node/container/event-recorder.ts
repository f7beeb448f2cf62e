import { createHash } from 'node:crypto';
import { messageOf, TokenBuckets, type Clock, type JsonObject, type Log } from '../../../base/index.ts';
import { EVENTS, type KubeObject } from '../../controllers/kinds/index.ts';
import { NODE_NAME } from '../../controllers/node-name.ts';
import type { ControlClient } from '../../controllers/ports.ts';
import { microTimestamp, timestamp } from '../../controllers/timestamp.ts';

export interface Happening {
  type: 'Normal' | 'Warning';
  reason: string;
  message: string;
  /** The container it is about. */
  container?: { name: string; isInit: boolean };
}

/** An object that does something every second must not fill the cluster with events about it. */
const RATE = { burst: 25, refillMs: 300_000, maxKeys: 4096 };
const MAX_MESSAGE = 1024;

/** Tells what happens, as events. They are best effort: whoever records one does not wait for it. */
export class EventRecorder {
  readonly #client: ControlClient;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #rate: TokenBuckets;
  /** One write after the other for each object, so that the second of two equal events finds the first. */
  readonly #writing = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor({ client, clock, log }: { client: ControlClient; clock: Clock; log: Log }) {
    this.#client = client;
    this.#clock = clock;
    this.#log = log;
    this.#rate = new TokenBuckets(RATE, clock);
  }

  /** As a kubelet does it: what happens again is counted. */
  record(about: KubeObject, happening: Happening): void {
    const { namespace = '', name, uid = '' } = about.metadata;
    const { type, reason, message, container } = happening;
    if (this.#rate.take(uid) > 0) return;
    const fieldPath = container && `spec.${container.isInit ? 'initContainers' : 'containers'}{${container.name}}`;
    const text = message.slice(0, MAX_MESSAGE);
    const key = [uid, type, reason, text, fieldPath ?? ''].join('\0');
    const eventName = `${name}.${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
    this.#write(uid, async () => {
      const now = timestamp(this.#clock.now());
      const before = this.#client.get(EVENTS, namespace, eventName);
      if (before !== undefined) {
        await this.#client.update(EVENTS, { ...before, count: Number(before['count'] ?? 1) + 1, lastTimestamp: now });
        return;
      }
      await this.#client.create(EVENTS, {
        metadata: { name: eventName, namespace },
        involvedObject: { ...reference(about), ...(fieldPath === undefined ? {} : { fieldPath }) },
        type,
        reason,
        message: text,
        source: { component: 'kubelet', host: NODE_NAME },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
        reportingComponent: 'kubelet',
        reportingInstance: NODE_NAME,
      });
    });
  }

  /** As a scheduler does it. */
  recordScheduling(about: KubeObject, { type, reason, message }: Happening, action: string): void {
    const { namespace = '', name, uid = '' } = about.metadata;
    if (this.#rate.take(uid) > 0) return;
    const text = message.slice(0, MAX_MESSAGE);
    const digest = createHash('sha256').update([uid, reason, text].join('\0')).digest('hex');
    const eventName = `${name}.${digest.slice(0, 16)}`;
    this.#write(uid, async () => {
      if (this.#client.get(EVENTS, namespace, eventName) !== undefined) return;
      await this.#client.create(EVENTS, {
        metadata: { name: eventName, namespace },
        involvedObject: reference(about),
        type,
        reason,
        message: text,
        source: {},
        eventTime: microTimestamp(this.#clock.now()),
        action,
        reportingComponent: 'default-scheduler',
        reportingInstance: 'default-scheduler-pocket',
      });
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  #write(uid: string, work: () => Promise<void>): void {
    if (this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    const written = (this.#writing.get(uid) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => {
        this.#log.debug('recording an event failed', { err: messageOf(error) });
      })
      .then(() => {
        this.#waiting -= 1;
        if (this.#writing.get(uid) === written) this.#writing.delete(uid);
      });
    this.#writing.set(uid, written);
  }
}

const MAX_WAITING = 1000;

function reference({ apiVersion, kind, metadata }: KubeObject): JsonObject {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata;
  return { kind, apiVersion, namespace, name, uid, resourceVersion };
}
