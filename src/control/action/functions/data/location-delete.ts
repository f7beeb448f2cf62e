import { AppError, type JsonObject } from '../../../../base/index.ts';
import { jobPodSpec, readProfile, type FunctionStats, type ProfileLocation } from '../../../../core/action/index.ts';
import { deleteMany, openStore, withPatience, type Store } from '../../../../edge/store/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import type { FunctionPod } from '../function-pods.ts';
import { runJob } from '../run-job.ts';
import { Thirds } from '../thirds.ts';
import { TOOLS_IMAGE } from './data-work.ts';

/** Deletes an object of the Profile's location and everything below it. Doing it again does no harm. */
export class LocationDelete implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const location = this.#location();
    const { root } = location.store;
    if (root === undefined) await this.#deleteObjects(location, signal);
    // A Profile may name any directory: that of a pod, but not one that only the server may write to.
    else await runJob(this.#context, { pod: this.#pod(root, location), thirds: this.#thirds }, signal);
    return {};
  }

  async cleanUp(signal: AbortSignal): Promise<void> {
    const location = this.#location();
    const { root } = location.store;
    if (root !== undefined) await this.#context.pods.remove(this.#pod(root, location), signal);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  /** Upstream's rule: the bucket may stand in front, and the Profile's prefix comes before what is left. */
  #location(): ProfileLocation {
    const artifact = this.#context.args.text('artifact');
    const { json, profile } = this.#context.profile();
    const bucket = profile.location?.bucket ?? '';
    const parts = artifact.split('/').filter((part) => part !== '');
    if (bucket !== '' && parts[0] === bucket) parts.shift();
    const location = readProfile(json, parts.join('/'));
    const isAll = parts.every((part) => part === '.' || part === '..');
    const { key: whole } = readProfile(json, '');
    if (location.key === '' || isAll || `${whole}/`.startsWith(`${location.key}/`)) {
      throw new AppError('invalid', `artifact: "${artifact}" means the whole location, which is never deleted`);
    }
    return location;
  }

  async #deleteObjects({ store: where, key }: ProfileLocation, signal: AbortSignal): Promise<void> {
    const { log, clock } = this.#context;
    const opened = await openStore(where, { log });
    const wait = this.#context.wait(new AppError('timeout', `objects below ${key} are deleted`), 'slow');
    const store = withPatience(opened, {
      ...{ clock, log },
      onWaiting: (cause) => {
        wait.tell(cause);
      },
    });
    try {
      this.#thirds.reach(1);
      await store.delete(key, { signal });
      await deleteMany(store, keysBelow(store, key, signal), { signal });
      this.#thirds.reach(2);
    } finally {
      wait.end();
      store.close();
    }
  }

  #pod(root: string, { store, key }: ProfileLocation): FunctionPod {
    const path = `${root.replace(/\/+$/, '')}/${store.bucket}/${key}`;
    const command = ['sh', '-c', 'rm -rf -- "$0"', path];
    const spec = jobPodSpec({ image: TOOLS_IMAGE, command });
    return { prefix: 'location-delete', namespace: this.#context.namespace, spec };
  }
}

async function* keysBelow(store: Store, key: string, signal: AbortSignal): AsyncIterable<string> {
  for await (const { key: found } of store.list(`${key}/`, { signal })) yield found;
}
