import { PERSISTENT_VOLUME_CLAIM } from '../../../../api/index.ts';
import { AppError, type JsonObject } from '../../../../base/index.ts';
import type { FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { madeName } from '../made-name.ts';
import { Thirds } from '../thirds.ts';
import { SnapshotApi, snapshotObject, VOLUME_SNAPSHOT } from './snapshot-api.ts';
import { snapshotOutputs, untilReady } from './until-ready.ts';

/** Takes a snapshot of a claim, and waits until it can be used. */
export class CreateCSISnapshot implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const api = await SnapshotApi.open(this.#context, signal);
    const [pvc, namespace] = [args.text('pvc'), args.text('namespace')];
    const name = args.textOr('name', madeName(this.#context, `${pvc}-snapshot-`));
    const claim = await api.read({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: pvc });
    if (claim === undefined) throw new AppError('invalid', `Failed to find PVC: ${namespace}/${pvc}`);
    this.#thirds.reach(1);
    const labels = args.textMap('labels');
    await api.make(
      { type: VOLUME_SNAPSHOT, namespace },
      snapshotObject(
        VOLUME_SNAPSHOT,
        { name, namespace, ...(labels !== undefined && { labels }) },
        { source: { persistentVolumeClaimName: pvc }, volumeSnapshotClassName: args.text('snapshotClass') },
      ),
    );
    const snapshot = await untilReady(this.#context, { api, namespace, name }, signal);
    this.#thirds.reach(2);
    return { name, pvc, namespace, ...snapshotOutputs(snapshot) };
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}
