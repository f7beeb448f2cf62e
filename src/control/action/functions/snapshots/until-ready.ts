import { AppError, backoffMs, textAt, valueAt, type Backoff } from '../../../../base/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { FunctionContext } from '../function.ts';
import { VOLUME_SNAPSHOT, type SnapshotApi } from './snapshot-api.ts';

const LOOK: Backoff = { baseMs: 100, maxMs: 1_000 };
/** The snapshot controller writes errors that it gets over by itself, such as conflicts; those that stay are final. */
const ERROR_STAYS_MS = 10_000;

/** Waits until a snapshot can be used, and tells why it cannot. */
export async function untilReady(
  context: FunctionContext,
  { api, namespace, name }: { api: SnapshotApi; namespace: string; name: string },
  signal: AbortSignal,
): Promise<KubeObject> {
  const { clock, random } = context;
  const what = `VolumeSnapshot ${namespace}/${name}`;
  const wait = context.wait(new AppError('timeout', `${what} has to become ready to use`), 'slow');
  let failingSince: number | undefined;
  try {
    for (let looks = 0; ; looks += 1) {
      const found = await api.read({ type: VOLUME_SNAPSHOT, namespace, name });
      if (found === undefined) throw new AppError('invalid', `${what} was deleted before it was ready to use`);
      const isReady = valueAt(found, 'status', 'readyToUse') === true;
      const problem = textAt(found, 'status', 'error', 'message');
      if (isReady && problem === undefined && textAt(found, 'status', 'creationTime') !== undefined) return found;
      failingSince = problem === undefined ? undefined : (failingSince ?? clock.uptime());
      if (problem !== undefined) wait.tell(new AppError('timeout', `${what}: ${problem}`));
      if (failingSince !== undefined && clock.uptime() - failingSince >= ERROR_STAYS_MS) {
        throw new AppError('invalid', `${what}: ${problem ?? ''}`);
      }
      await clock.sleep(backoffMs(looks, LOOK, random()), signal);
    }
  } finally {
    wait.end();
  }
}

/** What both functions that make snapshots return of one. */
export function snapshotOutputs(snapshot: KubeObject): { restoreSize: string; snapshotContent: string } {
  return {
    restoreSize: textAt(snapshot, 'status', 'restoreSize') ?? '',
    snapshotContent: textAt(snapshot, 'status', 'boundVolumeSnapshotContentName') ?? '',
  };
}
