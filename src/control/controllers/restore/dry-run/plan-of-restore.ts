import { NO_LOG } from '../../../../base/index.ts';
import type { Store } from '../../../../edge/store/index.ts';
import { itemId } from '../../../../core/progress/index.ts';
import { Restore } from '../../../../api/index.ts';
import { RETRY_ANNOTATION, type RestorePlanAnswer } from '../../../../core/operations/index.ts';
import { targetOf, type ArchiveKey, type Collection } from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import { Findings, patienceOf } from '../../../operation/index.ts';
import { collectItems, type Collected } from '../source/collect-items.ts';
import { fetchArchive } from '../source/fetch-archive.ts';
import type { MissingData } from '../rules/missing-data.ts';
import { settingsOf, type RestoreOptions } from '../options.ts';
import { PlanAnswer } from './plan-answer.ts';
import { planGroup, type PlanGroupInput } from './plan-group.ts';
import { prepareDeps } from '../rules/prepare-deps.ts';
import { notRestoredBy } from '../source/retry-of.ts';
import { ServedTypes } from '../source/served-types.ts';
import type { ReadContext, ReadDeps } from '../context.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { openSource } from '../source/source.ts';
import { readUserRules } from '../rules/user-rules.ts';
import { validate } from '../validation.ts';

export type RestorePlanDeps = ReadDeps;

/** A server that is away is a reason to say so, not to keep somebody waiting. */
const PATIENCE_MS = 10_000;

/**
 * What a restore would do: everything that only reads is the restore's own, and what is in the cluster is looked up
 * with the rights of the client in `deps`. Creates nothing.
 */
export async function planOfRestore(
  object: unknown,
  deps: RestorePlanDeps,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<RestorePlanAnswer> {
  const restore = Restore.parse(object).value;
  const { kube, namespace, clock } = deps;
  const { spec, errors } = await validate(restore, { kube, namespace, clock, signal });
  if (errors.length > 0) return new PlanAnswer(spec.backupName ?? '', errors).done();
  const context = contextOf({ ...restore, spec }, deps, options, signal);
  using source = await openSource(context);
  const types = await ServedTypes.discover(deps.kube, { signal });
  const { modifiers, policies } = await readUserRules(context, types);
  const retried = restore.metadata.annotations?.[RETRY_ANNOTATION];
  const isWanted = retried === undefined ? () => true : await notRestoredBy(source.store, retried, { signal });
  const archive = await fetchArchive(context, source, types);
  try {
    const collected = await collectItems(context, archive, types, { isWanted, policies });
    const { prepare, claims } = await prepareDeps(context, { source, archive, types, collected, modifiers });
    const answer = new PlanAnswer(spec.backupName ?? '');
    tellOthers(answer, archive, collected);
    await planItems({ context, archive, types, collected, prepare, claims, answer });
    return answer.done(warningsOf(context.findings));
  } finally {
    await archive.close();
  }
}

function contextOf(restore: Restore, deps: ReadDeps, options: RestoreOptions, signal: AbortSignal): ReadContext {
  const nothing = (): void => undefined;
  const run = { feed: nothing, setCondition: nothing, wait: () => ({ tell: nothing, end: nothing }) };
  const api = patienceOf(run, deps, PATIENCE_MS).until(signal);
  const findings = new Findings(NO_LOG, FINDING_TEXTS);
  const patient = (store: Store): Store => store;
  return { restore, deps, settings: settingsOf(options), run, log: deps.log, findings, api, patient, signal };
}

function tellOthers(answer: PlanAnswer, archive: Archive, { collection, broken }: Collected): void {
  answer.leaveOutAll(collection.leftOut);
  for (const { resource, itemsByNamespace, hint } of collection.unserved) {
    for (const [namespace, items] of itemsByNamespace) {
      for (const { name } of items) {
        const key = { groupResource: resource, name, ...(namespace === '' ? {} : { namespace }) };
        answer.leaveOut(key, `the cluster does not serve ${resource}; ${hint}`);
      }
    }
  }
  const why = archive.problems[0]?.error.message ?? '';
  for (const { target } of broken) answer.add(target, 'fail', broken.length === 1 ? why : 'its entry is broken');
}

function warningsOf(findings: Findings): string[] {
  const { warnings } = findings.results();
  return [...(warnings.velero ?? []), ...(warnings.cluster ?? []), ...Object.values(warnings.namespaces ?? {}).flat()];
}

interface Planning extends Omit<PlanGroupInput, 'onNeeded'> {
  collected: Collected;
  claims: MissingData;
  answer: PlanAnswer;
}

/** In the order of the collection, one type and namespace at a time, so that one list answers for many items. */
async function planItems(planning: Planning): Promise<void> {
  const { archive, collected, answer, context } = planning;
  const seen = new Set<string>();
  let needed: ArchiveKey[] = [];
  const plan = async (keys: readonly ArchiveKey[]): Promise<void> => {
    for (const key of keys) seen.add(itemId(key));
    await planning.claims.see(keys.filter(({ groupResource }) => groupResource === 'persistentvolumeclaims'));
    const planned = await planGroup(keys, { ...planning, onNeeded: (key) => needed.push(key) });
    for (const [at, one] of planned.entries()) {
      const target = targetOf(keys[at] as ArchiveKey, context.restore.spec.namespaceMapping ?? {});
      if ('leftOut' in one) answer.leaveOut(target, one.leftOut);
      else answer.add(target, one.action, one.reason);
    }
  };
  for (const group of groupsOf(collected.collection)) await plan(group);
  while (needed.length > 0) {
    const more = needed;
    needed = [];
    for (const key of more) {
      const isComing = archive.has(key) && collected.filters.leaveOutAdditional(key) === undefined;
      if (isComing && !seen.has(itemId(key))) await plan([key]);
    }
  }
}

function* groupsOf({ tiers }: Collection): Generator<ArchiveKey[]> {
  for (const { resource: groupResource, itemsByNamespace } of tiers.flat()) {
    for (const [namespace, items] of itemsByNamespace) {
      yield items.map(({ name }) => (namespace === '' ? { groupResource, name } : { groupResource, namespace, name }));
    }
  }
}
