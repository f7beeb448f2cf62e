import { AppError, textAt, type JsonObject } from '../../../../base/index.ts';
import type { FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { madeName } from '../made-name.ts';
import { Thirds } from '../thirds.ts';
import {
  SnapshotApi,
  snapshotObject,
  VOLUME_SNAPSHOT,
  VOLUME_SNAPSHOT_CLASS,
  VOLUME_SNAPSHOT_CONTENT,
} from './snapshot-api.ts';
import { snapshotOutputs, untilReady } from './until-ready.ts';

/** Makes the objects of a snapshot that the storage has already. */
export class CreateCSISnapshotStatic implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const api = await SnapshotApi.open(this.#context, signal);
    const [name, namespace] = [args.text('name'), args.text('namespace')];
    const volumeSnapshotClassName = args.text('snapshotClass');
    const deletionPolicy = await policyOf(api, volumeSnapshotClassName);
    this.#thirds.reach(1);
    const content = madeName(this.#context, `${name}-content-`);
    await api.make(
      { type: VOLUME_SNAPSHOT_CONTENT },
      snapshotObject(
        VOLUME_SNAPSHOT_CONTENT,
        { name: content },
        {
          volumeSnapshotRef: { kind: VOLUME_SNAPSHOT.kind, name, namespace },
          deletionPolicy,
          driver: args.text('driver'),
          source: { snapshotHandle: args.text('snapshotHandle') },
          volumeSnapshotClassName,
        },
      ),
    );
    await api.make(
      { type: VOLUME_SNAPSHOT, namespace },
      snapshotObject(
        VOLUME_SNAPSHOT,
        { name, namespace },
        { source: { volumeSnapshotContentName: content }, volumeSnapshotClassName },
      ),
    );
    const snapshot = await untilReady(this.#context, { api, namespace, name }, signal);
    this.#thirds.reach(2);
    return { name, namespace, ...snapshotOutputs(snapshot) };
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }
}

async function policyOf(api: SnapshotApi, name: string): Promise<string> {
  const found = await api.read({ type: VOLUME_SNAPSHOT_CLASS, name });
  const policy = textAt(found, 'deletionPolicy');
  if (policy !== undefined) return policy;
  const what = 'Failed to get DeletionPolicy from VolumeSnapshotClass: Failed to find VolumeSnapshotClass';
  throw new AppError('invalid', `${what}: volumesnapshotclasses.snapshot.storage.k8s.io "${name}" not found`);
}
