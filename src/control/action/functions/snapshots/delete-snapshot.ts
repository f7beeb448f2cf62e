import { AppError, backoffMs, type Backoff, type JsonObject } from '../../../../base/index.ts';
import type { FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { Thirds } from '../thirds.ts';
import { SnapshotApi, VOLUME_SNAPSHOT, VOLUME_SNAPSHOT_CONTENT } from './snapshot-api.ts';

const LOOK: Backoff = { baseMs: 100, maxMs: 1_000 };

/** Deletes a snapshot, and waits until it is gone. */
export class DeleteCSISnapshot implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args, clock, random } = this.#context;
    const api = await SnapshotApi.open(this.#context, signal);
    const [namespace, name] = [args.text('namespace'), args.text('name')];
    const target = { type: VOLUME_SNAPSHOT, namespace, name };
    this.#thirds.reach(1);
    const found = await api.read(target);
    if (found === undefined) return {};
    await api.delete(target);
    const cause = new AppError('timeout', `VolumeSnapshot ${namespace}/${name} has to be gone`);
    const wait = this.#context.wait(cause, 'slow');
    try {
      // Another one that has the name by now is not the one that was deleted.
      for (let looks = 0; (await api.read(target))?.metadata.uid === found.metadata.uid; looks += 1) {
        await clock.sleep(backoffMs(looks, LOOK, random()), signal);
      }
    } finally {
      wait.end();
    }
    this.#thirds.reach(2);
    return {};
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}

/** Deletes the content of a snapshot; it may be kept for a while by those who have to clean up behind it. */
export class DeleteCSISnapshotContent implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const api = await SnapshotApi.open(this.#context, signal);
    const target = { type: VOLUME_SNAPSHOT_CONTENT, name: this.#context.args.text('name') };
    this.#thirds.reach(1);
    if ((await api.read(target)) !== undefined) await api.delete(target);
    this.#thirds.reach(2);
    return {};
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}
