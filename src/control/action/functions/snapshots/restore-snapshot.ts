import { PERSISTENT_VOLUME_CLAIM } from '../../../../api/index.ts';
import { AppError, type JsonObject } from '../../../../base/index.ts';
import type { FunctionStats } from '../../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from '../function.ts';
import { Thirds } from '../thirds.ts';
import { SnapshotApi, VOLUME_SNAPSHOT } from './snapshot-api.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const VOLUME_MODES = ['Filesystem', 'Block'];
const QUANTITY = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?$/;

/** Makes a claim from a snapshot. It does not wait: many claims are bound only when a pod uses them. */
export class RestoreCSISnapshot implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const [namespace, name, claim] = [args.text('namespace'), args.text('name'), args.text('pvc')];
    const spec = this.#spec();
    const api = await SnapshotApi.open(this.#context, signal);
    // A claim from a snapshot that is not there would wait for ever, and nobody would say why.
    if ((await api.read({ type: VOLUME_SNAPSHOT, namespace, name })) === undefined) {
      const missing = `volumesnapshots.${VOLUME_SNAPSHOT.group} "${name}" not found`;
      throw new AppError('invalid', `Failed to restore CSI snapshot: ${missing} in ${namespace}`);
    }
    this.#thirds.reach(1);
    const labels = args.textMap('labels');
    await api.make(
      { type: PERSISTENT_VOLUME_CLAIM, namespace },
      {
        ...{ apiVersion: 'v1', kind: PERSISTENT_VOLUME_CLAIM.kind },
        metadata: { name: claim, namespace, ...(labels !== undefined && { labels }) },
        spec,
      },
    );
    this.#thirds.reach(2);
    return {};
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  #spec(): JsonObject {
    const { args } = this.#context;
    const accessModes = args.optionalTexts('accessModes') ?? ['ReadWriteOnce'];
    for (const mode of accessModes) {
      if (!ACCESS_MODES.includes(mode)) throw new AppError('invalid', `Given accessMode ${mode} is invalid`);
    }
    const volumeMode = args.textOr('volumeMode', 'Filesystem');
    if (!VOLUME_MODES.includes(volumeMode)) throw new AppError('invalid', `Given volumeMode ${volumeMode} is invalid`);
    return {
      ...{ accessModes, volumeMode, storageClassName: args.text('storageClass') },
      dataSource: { apiGroup: VOLUME_SNAPSHOT.group, kind: VOLUME_SNAPSHOT.kind, name: args.text('name') },
      resources: { requests: { storage: sizeOf(args.text('restoreSize')) } },
    };
  }
}

function sizeOf(text: string): string {
  const [, amount] = QUANTITY.exec(text) ?? [];
  if (amount === undefined) throw new AppError('invalid', `restoreSize: expected a size such as 1Gi, got "${text}"`);
  if (Number(amount) > 0) return text;
  throw new AppError('invalid', 'Failed to restore CSI snapshot. restoreSize argument cannot be zero');
}
