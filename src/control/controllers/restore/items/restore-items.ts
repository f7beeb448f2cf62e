import { ItemCounting, itemName, type ItemKey } from '../../../../core/progress/index.ts';
import { VERIFY_ANNOTATION } from '../../../../core/operations/index.ts';
import { RestorePlan } from '../../../../core/restore/index.ts';
import { inTurns } from '../../../../edge/archive/index.ts';
import { everyMoment } from '../../../operation/index.ts';
import type { ExecHooks } from './exec-hooks.ts';
import { ItemRestorer } from './item-restorer.ts';
import { ItemSender } from './item-sender.ts';
import { NewTypes } from './new-types.ts';
import { PlanRunner } from './plan-runner.ts';
import type { RestoredItems } from '../restored-items.ts';
import { prepareDeps, type PrepareInput } from '../rules/prepare-deps.ts';
import { claimsIn } from '../rules/volumes.ts';
import type { VolumeFindings } from '../source/volume-data.ts';
import { BROKEN_OFF } from '../volumes/fill-context.ts';
import { RestoreVolumes } from '../volumes/restore-volumes.ts';
import type { RestoreContext } from '../context.ts';

export interface PassTwo extends PrepareInput {
  hooks: ExecHooks;
  restored: RestoredItems;
}

/** Pass two: restores the items tier by tier. */
export async function restoreItems(context: RestoreContext, pass: PassTwo): Promise<void> {
  const { run, settings, signal, restore, status, deps } = context;
  const { archive, types, collected, restored, hooks } = pass;
  const { collection, filters, broken } = collected;
  const { prepare, claims, findings } = await prepareDeps(context, pass);
  const counting = new ItemCounting();
  const over = new AbortController();
  const volumes = volumesOf(context, pass, { findings, over: over.signal });
  const plan = new RestorePlan({
    collection,
    namespaceMapping: restore.spec.namespaceMapping ?? {},
    filters,
    inArchive: (key) => archive.has(key),
    counting,
    parallel: settings.parallel,
    holds: volumes,
  });
  for await (const _ of inTurns(plan.begin()));
  restored.planned(() => plan.unsettled());
  let current: ItemKey | undefined;
  const tell = (): void => {
    if (current !== undefined) run.feed({ kind: 'current', current: itemName(current) });
    current = undefined;
    status.count();
    // It stays until the end: what is left is held back for volumes, or follows them.
    if (plan.held > 0) run.feed({ kind: 'stage', stage: 'volumes' });
    const waitsFor = plan.isHeldUp ? 'bytes' : undefined;
    run.feed({ kind: 'measure', ...counting.measure(), counts: counting.counts(), waitsFor });
  };
  for (const resource of [...collection.tiers.flat(), ...collection.unserved]) {
    status.items.plan(resource.resource, resource.totalItems);
  }
  for (const { resource, totalItems } of collection.unserved) {
    for (let item = 0; item < totalItems; item += 1) status.items.settle(resource, 'skipped');
  }
  for (const item of broken) {
    counting.settle(item.target, 'failed');
    status.items.settle(item.source.groupResource, 'failed');
    restored.fail(item, types.find(item.source.groupResource));
  }
  run.feed({ kind: 'stage', stage: 'restoring' });

  const fresh = new NewTypes(context, types);
  const onServed = (groupResource: string): void => {
    fresh.add(groupResource);
  };
  volumes.expect(claimsIn(collection));
  const sender = new ItemSender({ context, names: prepare.names, hooks, onServed });
  const restorer = new ItemRestorer({ context, archive, types, prepare, sender, restored, volumes });
  const runner = new PlanRunner(plan, {
    restore: async (item, need) => {
      await fresh.learn(item.source.groupResource);
      if (item.source.groupResource === 'persistentvolumeclaims') await claims.see([item.source]);
      current = item.target;
      const outcome = await restorer.restore(item, need);
      volumes.settled(item, outcome);
      return outcome;
    },
    onSettled: (item, outcome) => {
      status.items.settle(item.source.groupResource, outcome);
    },
  });
  volumes.onOver = () => {
    runner.look();
  };
  const telling = everyMoment(tell, deps.clock, over.signal);
  try {
    await runner.run(signal);
    await volumes.finish();
    signal.throwIfAborted();
  } finally {
    // Without an effect on volumes when all have ended.
    over.abort(BROKEN_OFF);
    await volumes.end();
    await telling;
    tell();
  }
}

function volumesOf(
  context: RestoreContext,
  { source, restored }: PassTwo,
  { findings, over }: { findings: VolumeFindings; over: AbortSignal },
): RestoreVolumes {
  const { signal, restore } = context;
  const isVerified = restore.metadata.annotations?.[VERIFY_ANNOTATION] === 'true';
  const backup = source.backup.metadata.name ?? '';
  const ends = AbortSignal.any([signal, over]);
  return new RestoreVolumes(
    { restore: context, backup, location: source.location, isVerified, signal: ends },
    findings,
    restored.volumes,
  );
}
