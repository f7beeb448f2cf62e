import { AppError, objectAt, textAt, without, type JsonObject } from '../../base/index.ts';
import { adapterFor, readOperation, RETRY_ANNOTATION } from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { newObject, stampedName } from '../objects/new-object.ts';
import { RESTORE } from '../objects/types.ts';
import type { CliDeps } from '../ports.ts';
import { submit, type CreateFlags } from './create.ts';
import { getNamed, withKube } from './open-cluster.ts';

export async function retryRestore(
  deps: CliDeps,
  { name, as }: { name: string; as: string | undefined },
  flags: CreateFlags,
): Promise<number> {
  const first = await withKube(deps, flags, async (scope) => {
    const object = await getNamed(scope, RESTORE, name);
    const seen = { cluster: scope.cluster, now: deps.clock.now() };
    const { report, errors, phase } = readOperation(adapterFor(object.kind), object, seen);
    if (!isTerminal(report.state)) throw new AppError('conflict', `restore "${name}" has not finished yet (${phase})`);
    if (report.state === 'completed' && errors === 0) {
      throw new AppError('conflict', `restore "${name}" completed; there is nothing to retry`);
    }
    return object;
  });
  const retry = newObject({
    type: RESTORE,
    namespace: flags.namespace,
    name: as ?? stampedName(`${name}-retry`, deps.clock.now()),
    annotations: { [RETRY_ANNOTATION]: name },
    spec: specOf(first),
  });
  return await submit(deps, retry, flags);
}

/** The engine writes the schedule of the backup beside the backup; asked for both, it would not know which is meant. */
function specOf(first: JsonObject): JsonObject {
  const spec = objectAt(first, 'spec');
  return textAt(spec, 'backupName') === undefined ? spec : without(spec, 'scheduleName');
}
