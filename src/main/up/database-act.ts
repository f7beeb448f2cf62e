import { ActionSet } from '../../api/index.ts';
import { AppError, formatCount, objectAt, objectsAt } from '../../base/index.ts';
import { adapterFor, type Operation } from '../../core/operations/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { createAll } from '../demo/create-all.ts';
import { actionSet, DATABASE, databaseItems, readTable, wipeTable, type Table } from '../demo/database.ts';
import { mustComplete, runOperation } from '../demo/run-operation.ts';
import { waitForPods } from '../demo/wait-for-pods.ts';
import { systemClock } from '../system-clock.ts';
import type { Steps } from './steps.ts';

interface Scene {
  kube: KubeClient;
  steps: Steps;
  signal: AbortSignal;
}

const PLACE = `${DATABASE.namespace}/${DATABASE.name}`;
const DUMP = 'books-dump';
const LOAD = 'books-load';

/** The second act: a Blueprint dumps a database, an accident empties it, and the Blueprint brings it back. */
export async function tellOfDatabase({ kube, steps, signal }: Scene): Promise<void> {
  const base = { kube, clock: systemClock, signal };
  const before = await steps.run(
    { name: 'database', what: `starting ${PLACE}`, verb: 'starting' },
    async (onReport) => {
      await createAll(databaseItems(), { ...base, onReport });
      await waitForPods(1, { ...base, onReport, where: { namespace: DATABASE.namespace } });
      return await readTable(kube, signal);
    },
    (table) => `${PLACE} has ${recordsOf(table)}`,
  );
  const run = (object: ReturnType<typeof actionSet>, what: string): Promise<Operation> =>
    steps.run(
      {
        name: object.metadata.name === DUMP ? 'dump' : 'load',
        what: `${object.metadata.name}: ${what}`,
        verb: 'running',
      },
      async (onReport) => mustComplete(await runOperation(adapterFor('ActionSet'), object, { ...base, onReport })),
      ({ ref, report }) => `${ref.name}: ${what}, ${phasesOf(report)}`,
    );
  await run(actionSet(DUMP, 'backup'), `Blueprint ${DATABASE.name}, action backup`);
  await steps.run(
    { name: 'wipe', what: `deleting every record of ${PLACE}`, verb: 'wiping' },
    () => wipeTable(kube, signal),
    (table) => `${PLACE} has ${recordsOf(table)}`,
  );
  const dumped = await kube.get({ type: ActionSet, namespace: DATABASE.namespace, name: DUMP }, { signal });
  const artifacts = objectAt(objectsAt(dumped, 'status', 'actions')[0], 'artifacts');
  await run(actionSet(LOAD, 'restore', artifacts), `Blueprint ${DATABASE.name}, action restore`);
  await steps.run(
    { name: 'compared', what: `comparing ${PLACE} with what it had`, verb: 'comparing' },
    async () => mustEqual(await readTable(kube, signal), before),
    (table) => `${PLACE} has ${recordsOf(table)} again, same sha256`,
  );
}

function mustEqual(table: Table, before: Table): Table {
  if (table.sha256 === before.sha256) return table;
  throw new AppError('bug', `${PLACE} has ${recordsOf(table)}, and not the ${recordsOf(before)} that it had`);
}

function recordsOf({ records }: Table): string {
  return `${formatCount(records)} records`;
}

function phasesOf({ measures }: Operation['report']): string {
  const { done = 0 } = measures.find(({ unit }) => unit === 'phases') ?? {};
  return `${String(done)} phase${done === 1 ? '' : 's'}`;
}
