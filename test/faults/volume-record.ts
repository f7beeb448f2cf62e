import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { VolumePluginBackup, VolumePluginRestore } from '../../src/api/index.ts';
import { isAppError, objectAt, textAt, valueAt } from '../../src/base/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import { numberAt, type Seen } from './status-record.ts';

type Kind = typeof VolumePluginBackup | typeof VolumePluginRestore;

/** One status of a volume's object, with the attempt that wrote it. */
export interface SeenVolume extends Seen {
  attempt: number;
}

/** Every status that was ever written to the volumes of one Backup or Restore, through a watch. */
export class VolumeRecord implements AsyncDisposable {
  /** By the claim's name without its namespace. */
  readonly seen = new Map<string, SeenVolume[]>();
  readonly #kube: KubeClient;
  readonly #kind: Kind;
  readonly #owner: string;
  readonly #stop = new AbortController();
  readonly #watching: Promise<void>;

  /** From before its Backup or Restore is created. */
  constructor(kube: KubeClient, kind: Kind, owner: string) {
    this.#kube = kube;
    this.#kind = kind;
    this.#owner = owner;
    this.#watching = this.#watch();
  }

  of(claim: string): SeenVolume[] {
    return this.seen.get(claim) ?? [];
  }

  last(claim: string): SeenVolume | undefined {
    return this.of(claim).at(-1);
  }

  async until(
    claim: string,
    what: string,
    isSo: (seen: SeenVolume) => boolean,
    withinMs = 60_000,
  ): Promise<SeenVolume> {
    return await eventually(
      () => {
        const found = this.of(claim).find(isSo);
        if (found !== undefined) return found;
        const last = this.last(claim);
        throw new Error(`volume ${claim} is not ${what}: ${JSON.stringify(last?.object['status'] ?? {})}`);
      },
      { withinMs },
    );
  }

  /** Law 1 and 2: percent never falls, bytes never fall within an attempt, and 100 comes with success alone. */
  expectLaws(): void {
    for (const [claim, all] of this.seen) {
      let percent = 0;
      let bytes = 0;
      let attempt = 0;
      for (const one of all) {
        const text = `${claim}: ${JSON.stringify(one.object['status'])}`;
        if (one.attempt !== attempt) bytes = 0;
        expect(one.attempt, text).toBeGreaterThanOrEqual(attempt);
        attempt = one.attempt;
        const [shown = percent, done = bytes] = [
          numberAt(one.progress, 'percent'),
          numberAt(one.progress, 'bytesDone'),
        ];
        expect(shown, text).toBeGreaterThanOrEqual(percent);
        expect(shown, text).toBeLessThanOrEqual(one.phase === 'Completed' ? 100 : 99);
        expect(done, text).toBeGreaterThanOrEqual(bytes);
        expect(done, text).toBeLessThanOrEqual(numberAt(one.progress, 'totalBytes') ?? Infinity);
        [percent, bytes] = [shown, done];
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const target = { type: this.#kind, namespace: 'velero' };
    let from = '0';
    while (!signal.aborted) {
      try {
        for await (const event of this.#kube.watch(target, { signal, resourceVersion: from })) {
          if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
          from = event.object.metadata.resourceVersion ?? from;
          this.#see(event.object);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (isAppError(error, 'gone')) from = '0';
        else await delay(50);
      }
    }
  }

  #see(object: KubeObject): void {
    const labels = object.metadata.labels ?? {};
    if ((labels['velero.io/backup-name'] ?? labels['velero.io/restore-name']) !== this.#owner) return;
    const claim = (object.metadata.annotations?.['headway.io/claim'] ?? '').split('/')[1] ?? '';
    const phase = textAt(object, 'status', 'phase') ?? 'New';
    const attempt = valueAt(object, 'status', 'attempt');
    const all = this.seen.get(claim) ?? [];
    this.seen.set(claim, all);
    all.push({
      ...{ at: Date.now(), phase, object, progress: objectAt(object, 'status', 'progress') },
      attempt: typeof attempt === 'number' ? attempt : 0,
    });
  }
}
