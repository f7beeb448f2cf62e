import { textAt, textsAt } from '../../../../base/index.ts';
import { VELERO_LAYOUT } from '../../../../core/backup/index.ts';
import { UNKNOWN } from '../../../../core/progress/index.ts';
import {
  DEFAULT_PRIORITIES,
  aboutItem,
  collectRestore,
  explainLeftOut,
  parsePriorities,
  restoreFilters,
  targetOf,
  type ArchiveKey,
  type Collection,
  type RestoreFilters,
  type WorkItem,
} from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { ServedTypes } from './served-types.ts';
import type { ReadContext } from '../context.ts';
import type { Selected } from '../../../operation/index.ts';
import type { FineFilter } from '../../../../core/selection/index.ts';

export interface Collected {
  collection: Collection;
  filters: RestoreFilters;
  /** Selected items whose content in the archive is broken. */
  broken: readonly WorkItem[];
  selected: Selected;
}

/** What selects among the archive's items in addition to the spec. */
export interface Chosen {
  isWanted: (key: ArchiveKey) => boolean;
  policies: FineFilter | undefined;
}

/** Pass one: everything that will be restored, and one line about everything that cannot be. */
export async function collectItems(
  context: ReadContext,
  archive: Archive,
  types: ServedTypes,
  chosen: Chosen,
): Promise<Collected> {
  const { restore, settings, run, log, findings } = context;
  const { spec } = restore;
  run.feed({ kind: 'stage', stage: 'collecting' });
  run.feed({ kind: 'attempt', unit: 'bytes' });
  run.feed({ kind: 'measure', unit: 'items', done: 0, total: UNKNOWN });
  const { priorities } = settings;
  const filters = restoreFilters(spec, types.names);
  const collection = await collectRestore({
    spec,
    entries: archive.entries(),
    broken: archive.problems.flatMap(({ path }) => VELERO_LAYOUT.itemAt(path) ?? []),
    isWanted: chosen.isWanted,
    lookInto: async (key) => {
      run.feed({ kind: 'worked' });
      const object = await archive.read(key);
      return { kind: textAt(object, 'kind') ?? '', labels: textsAt(object, 'metadata', 'labels') };
    },
    ...(chosen.policies === undefined ? {} : { policies: chosen.policies }),
    priorities:
      priorities === undefined ? DEFAULT_PRIORITIES : parsePriorities(priorities, (name) => types.names.resolve(name)),
    names: types.names,
    serves: (groupResource) => types.serves(groupResource),
  });
  for (const { groupResource, namespace, reason, names } of collection.leftOut) {
    log.info('items are left out', { groupResource, namespace, count: names.length, reason: explainLeftOut(reason) });
  }
  for (const { resource, totalItems, hint } of collection.unserved) {
    const text = `${totalItems} items of ${resource} are skipped: the cluster does not serve that type; ${hint}`;
    findings.warn('operation', text);
  }
  if (archive.counts.items === archive.problems.length) {
    findings.warn('operation', 'zero items to be restored: the backup has none');
  }
  for (const group of types.silent) {
    const text = `the API group ${group} does not answer, so its types are taken for not served`;
    findings.warn('operation', text);
  }
  log.info('collected the items', { items: collection.totalItems });
  const broken = brokenItems(context, archive, filters);
  const { unmatched, isNothing } = collection;
  return { collection, filters, broken, selected: { unmatched, isNothing: isNothing && broken.length === 0 } };
}

/** An entry that is not the object its path names fails as an item, before anything was created. */
function brokenItems({ restore, findings }: ReadContext, archive: Archive, filters: RestoreFilters): WorkItem[] {
  return archive.problems.flatMap(({ path, error }) => {
    const source = VELERO_LAYOUT.itemAt(path);
    if (source === undefined || filters.leaveOut(source) !== undefined) return [];
    const target = targetOf(source, restore.spec.namespaceMapping ?? {});
    findings.error(aboutItem(target.namespace), error.message);
    return [{ source, target }];
  });
}
