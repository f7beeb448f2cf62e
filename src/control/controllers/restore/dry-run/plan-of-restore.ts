import { PERSISTENT_VOLUME_CLAIM } from '../../../../api/index.ts';
import { itemId } from '../../../../core/progress/index.ts';
import type { PlannedVolume, RestorePlanAnswer } from '../../../../core/operations/index.ts';
import {
  aboutItem,
  planOfMigration,
  targetOf,
  type ArchiveKey,
  type Collection,
} from '../../../../core/restore/index.ts';
import type { VolumeData } from '../../../../core/volumes/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { Findings } from '../../../operation/index.ts';
import type { Collected } from '../source/collect-items.ts';
import type { MissingData } from '../rules/missing-data.ts';
import type { RestoreOptions } from '../options.ts';
import { dryRun } from './dry-run.ts';
import { PlanAnswer } from './plan-answer.ts';
import { planGroup, type Planned, type PlanGroupInput } from './plan-group.ts';
import { prepareDeps } from '../rules/prepare-deps.ts';
import type { VolumeFindings } from '../source/volume-data.ts';
import { readObject } from '../../../runtime/objects/index.ts';
import { considerBringUp } from '../volumes/claim-to-bring-up.ts';
import type { ReadContext, ReadDeps } from '../context.ts';

export type RestorePlanDeps = ReadDeps;

const CLAIMS = 'persistentvolumeclaims';

/**
 * What a restore would do: everything that only reads is the restore's own code, and the cluster is read with the
 * permissions of the client in `deps`. Creates nothing.
 */
export async function planOfRestore(
  object: unknown,
  deps: RestorePlanDeps,
  options: RestoreOptions,
  signal: AbortSignal,
): Promise<RestorePlanAnswer> {
  return await dryRun(
    object,
    { deps, options, signal },
    {
      refused: (backup, errors) => new PlanAnswer(backup, errors).done(),
      open: async (items) => {
        const { context, archive, collected } = items;
        const { prepare, claims, findings } = await prepareDeps(context, items);
        const answer = new PlanAnswer(context.restore.spec.backupName ?? '');
        tellOthers(answer, archive, collected);
        await planItems({ ...items, prepare, claims, findings, answer });
        return answer.done(warningsOf(context.findings), collected.selected.unmatched);
      },
    },
  );
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
  findings: VolumeFindings;
  answer: PlanAnswer;
}

/** In the order of the collection, one type and namespace at a time, so that one list covers many items. */
async function planItems(planning: Planning): Promise<void> {
  const { archive, collected, answer, context } = planning;
  const seen = new Set<string>();
  let needed: ArchiveKey[] = [];
  const plan = async (keys: readonly ArchiveKey[]): Promise<void> => {
    for (const key of keys) seen.add(itemId(key));
    await planning.claims.see(keys.filter(({ groupResource }) => groupResource === CLAIMS));
    const planned = await planGroup(keys, { ...planning, onNeeded: (key) => needed.push(key) });
    for (const [at, one] of planned.entries()) {
      const target = targetOf(keys[at] as ArchiveKey, context.restore.spec.namespaceMapping ?? {});
      if ('leftOut' in one) answer.leaveOut(target, one.leftOut);
      else answer.add(target, one.action, one.reason);
      const volume = await plannedVolume(keys[at] as ArchiveKey, one, planning);
      if (volume !== undefined) answer.addVolume({ claim: `${target.namespace ?? ''}/${target.name}`, ...volume });
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

/** Which data a claim would get, or why none; undefined for what is no claim and for a claim that never had data. */
async function plannedVolume(
  key: ArchiveKey,
  planned: Planned,
  { findings, claims, context }: Planning,
): Promise<Omit<PlannedVolume, 'claim'> | undefined> {
  if (key.groupResource !== CLAIMS) return undefined;
  const finding = findings.get(`${key.namespace ?? ''}/${key.name}`);
  if (finding === undefined) {
    const reason = claims.whyMissing(key);
    return reason === undefined ? undefined : { reason };
  }
  if ('problem' in finding) return { reason: finding.problem };
  if (!('data' in finding)) return undefined;
  if ('leftOut' in planned) return { reason: planned.leftOut };
  if (planned.action === 'exists' || planned.action === 'update') {
    const why = await whyKept(key, finding.data, context);
    if (why !== undefined) return { reason: why };
  }
  if (planned.action === 'fail') return { reason: planned.reason ?? 'the claim cannot be restored' };
  const { plugin, totalBytes } = finding.data;
  return { plugin, ...(totalBytes === undefined ? {} : { bytes: totalBytes }) };
}

const KEPT = 'the claim exists, and keeps what it has';

/** Why a claim that exists is left alone; if it is not, a warning says what happens to its files. */
async function whyKept(key: ArchiveKey, data: VolumeData, context: ReadContext): Promise<string | undefined> {
  const { restore, deps, api, signal, findings } = context;
  const { namespace = '', name } = targetOf(key, restore.spec.namespaceMapping ?? {});
  if (planOfMigration(restore) === undefined) return KEPT;
  const claim = await api.call(() => readObject({ type: PERSISTENT_VOLUME_CLAIM, namespace, name }, deps, signal));
  if (claim === undefined) return KEPT;
  const decision = await considerBringUp(claim, data, context, signal);
  if (!decision.isBroughtUp) return decision.why === undefined ? KEPT : `${KEPT}: ${decision.why}`;
  const what = `PersistentVolumeClaim ${namespace}/${name} exists and is of the same plan`;
  findings.warn(
    aboutItem(namespace),
    `${what}: it is brought up to the backup, and files that are not in it are removed`,
  );
  return undefined;
}

function* groupsOf({ tiers }: Collection): Generator<ArchiveKey[]> {
  for (const { resource: groupResource, itemsByNamespace } of tiers.flat()) {
    for (const [namespace, items] of itemsByNamespace) {
      yield items.map(({ name }) => (namespace === '' ? { groupResource, name } : { groupResource, namespace, name }));
    }
  }
}
