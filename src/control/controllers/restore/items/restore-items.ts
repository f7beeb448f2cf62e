import { AppError } from '../../../../base/index.ts';
import { ItemCounting, itemName, type ItemKey } from '../../../../core/progress/index.ts';
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
  const { prepare, claims } = await prepareDeps(context, pass);
  const counting = new ItemCounting();
  const plan = new RestorePlan({
    collection,
    namespaceMapping: restore.spec.namespaceMapping ?? {},
    filters,
    inArchive: (key) => archive.has(key),
    counting,
    parallel: settings.parallel,
  });
  for await (const _ of inTurns(plan.begin()));
  restored.planned(() => plan.unsettled());
  let current: ItemKey | undefined;
  const tell = (): void => {
    if (current !== undefined) run.feed({ kind: 'current', current: itemName(current) });
    current = undefined;
    status.count();
    run.feed({ kind: 'measure', ...counting.measure(), counts: counting.counts() });
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
  const sender = new ItemSender({ context, names: prepare.names, hooks, onServed });
  const restorer = new ItemRestorer({ context, archive, types, prepare, sender, restored });
  const runner = new PlanRunner(plan, {
    restore: async (item, need) => {
      await fresh.learn(item.source.groupResource);
      if (item.source.groupResource === 'persistentvolumeclaims') await claims.see([item.source]);
      current = item.target;
      return await restorer.restore(item, need);
    },
    onSettled: (item, outcome) => {
      status.items.settle(item.source.groupResource, outcome);
    },
  });
  const over = new AbortController();
  const telling = everyMoment(tell, deps.clock, over.signal);
  try {
    await runner.run(signal);
  } finally {
    over.abort(new AppError('canceled', 'no more items are restored'));
    await telling;
    tell();
  }
}
