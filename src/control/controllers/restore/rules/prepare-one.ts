import type { JsonObject } from '../../../../base/index.ts';
import { prepareItem, type ArchiveKey, type PrepareDeps, type Prepared } from '../../../../core/restore/index.ts';
import { inSlices } from '../../../operation/index.ts';
import type { ReadContext } from '../context.ts';

/** Thousands of rules take a second with the largest items. */
const LIMIT_MS = 30_000;

/** Prepares an item, and yields to other work if users have written many rules. */
export function prepareOne(
  source: ArchiveKey,
  backedUp: JsonObject | undefined,
  prepare: PrepareDeps,
  { deps, signal }: Pick<ReadContext, 'deps' | 'signal'>,
): Promise<Prepared> {
  const what = 'applying the resource modifiers';
  return inSlices(prepareItem(source, backedUp, prepare), { what, clock: deps.clock, signal, limitMs: LIMIT_MS });
}
