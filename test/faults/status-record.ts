import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Backup, Restore } from '../../src/api/index.ts';
import { isAppError, objectAt, textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';

export const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];

/** One status as a watcher saw it. */
export interface Seen {
  /** Of this process's clock. */
  at: number;
  phase: string;
  progress: JsonObject;
  object: KubeObject;
}

type Kind = typeof Backup | typeof Restore;

/** Every status that was ever written to one Backup or Restore, through a watch past all faults. */
export class StatusRecord implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #kube: KubeClient;
  readonly #kind: Kind;
  readonly #name: string;
  readonly #stop = new AbortController();
  readonly #onSeen: (seen: Seen) => void;
  #watching: Promise<void> = Promise.resolve();

  /** Creates the object and watches it from its first moment. */
  static async of(
    kube: KubeClient,
    kind: Kind,
    object: { name: string; spec: JsonObject },
    onSeen: (seen: Seen) => void = () => undefined,
  ): Promise<StatusRecord> {
    const record = new StatusRecord(kube, kind, object.name, onSeen);
    const metadata = { name: object.name, namespace: 'velero' };
    const body = { apiVersion: 'velero.io/v1', kind: kind.kind, metadata, spec: object.spec };
    const created = await kube.create({ type: kind, namespace: 'velero' }, body);
    record.#watching = record.#watch(created.metadata.resourceVersion ?? '0');
    return record;
  }

  private constructor(kube: KubeClient, kind: Kind, name: string, onSeen: (seen: Seen) => void) {
    this.#kube = kube;
    this.#kind = kind;
    this.#name = name;
    this.#onSeen = onSeen;
  }

  get last(): Seen | undefined {
    return this.seen.at(-1);
  }

  async until(what: string, isSo: (seen: Seen) => boolean, withinMs: number): Promise<Seen> {
    return await eventually(
      () => {
        const found = this.seen.find(isSo);
        if (found !== undefined) return found;
        const { phase = 'new', progress = {} } = this.last ?? {};
        throw new Error(`${this.#kind.kind} ${this.#name} is not ${what}: ${phase} ${JSON.stringify(progress)}`);
      },
      { withinMs },
    );
  }

  async atStage(stage: string, percent = 0): Promise<Seen> {
    const isThere = ({ progress }: Seen): boolean =>
      progress['stage'] === stage && (numberAt(progress, 'percent') ?? 0) >= percent;
    return await this.until(`at ${stage} with ${percent} %`, isThere, 30_000);
  }

  /** The last status, which is the one of the end. */
  async ended(withinMs = 60_000): Promise<Seen> {
    await this.until('ended', ({ phase }) => ENDED.includes(phase), withinMs);
    return this.seen.at(-1)!;
  }

  /** Law 1: percent never falls, is at most 100, and 100 comes with success alone. */
  expectPercentNeverFalls(): void {
    let shown = 0;
    for (const { progress, phase } of this.seen) {
      const percent = numberAt(progress, 'percent');
      if (percent === undefined) {
        expect(shown, `percent vanished at ${JSON.stringify(progress)}`).toBe(0);
        continue;
      }
      expect(percent, JSON.stringify(progress)).toBeGreaterThanOrEqual(shown);
      expect(percent).toBeLessThanOrEqual(phase === 'Completed' ? 100 : 99);
      shown = percent;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  /** Watches on after the API server was away; only one without a history of its own may have written unseen. */
  async #watch(resourceVersion: string): Promise<void> {
    const { signal } = this.#stop;
    let from = resourceVersion;
    while (!signal.aborted) {
      try {
        const fieldSelector = `metadata.name=${this.#name}`;
        const target = { type: this.#kind, namespace: 'velero' };
        for await (const event of this.#kube.watch(target, { signal, resourceVersion: from, fieldSelector })) {
          if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
          from = event.object.metadata.resourceVersion ?? from;
          this.#see(event.object);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isAppError(error, 'gone')) from = await this.#look();
        else await delay(50);
      }
    }
  }

  async #look(): Promise<string> {
    const object = await this.#kube.get({ type: this.#kind, namespace: 'velero', name: this.#name });
    this.#see(object);
    return object.metadata.resourceVersion ?? '0';
  }

  #see(object: KubeObject): void {
    if (object.metadata.name !== this.#name) return;
    const progress = objectAt(object, 'status', 'progress');
    const seen = { at: Date.now(), phase: textAt(object, 'status', 'phase') ?? 'New', progress, object };
    this.seen.push(seen);
    this.#onSeen(seen);
  }
}

export function numberAt(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === 'number' ? value : undefined;
}
