import { isAppError, isObjectName, messageOf, textAt, type JsonObject } from '../../../../base/index.ts';
import type { PlannedAction } from '../../../../core/operations/index.ts';
import {
  decideExisting,
  targetOf,
  type ArchiveKey,
  type ExistingDecision,
  type Prepared,
  type PrepareDeps,
} from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { ApiResource, KubeObject } from '../../../../edge/kube/index.ts';
import { prepareOne } from '../rules/prepare-one.ts';
import type { ServedTypes } from '../source/served-types.ts';
import type { ReadContext } from '../context.ts';

/** What would happen to one item. */
export type Planned = { action: PlannedAction; reason?: string } | { leftOut: string };

export interface PlanGroupInput {
  context: ReadContext;
  archive: Archive;
  types: ServedTypes;
  prepare: PrepareDeps;
  /** Called for every item that another one needs. */
  onNeeded: (key: ArchiveKey) => void;
}

/**
 * Compares the items of one type from one namespace with one list of the cluster. No object is kept: each is prepared
 * when its counterpart appears in the list, or when the list has ended.
 */
export async function planGroup(keys: readonly ArchiveKey[], input: PlanGroupInput): Promise<Planned[]> {
  const [first] = keys;
  if (first === undefined) return [];
  const byTarget = new Map(keys.map((key) => [targetIn(key, input).name, key]));
  const planned = new Map<string, Planned>();
  const type = await typeOf(first, input);
  for await (const object of type === undefined ? [] : existing(type, first, input)) {
    const source = byTarget.get(object.metadata.name);
    if (source !== undefined) planned.set(object.metadata.name, await planOne(source, object, input));
  }
  const answers: Planned[] = [];
  for (const [name, source] of byTarget) answers.push(planned.get(name) ?? (await planOne(source, undefined, input)));
  return answers;
}

async function* existing(type: ApiResource, first: ArchiveKey, input: PlanGroupInput): AsyncGenerator<KubeObject> {
  const { deps, signal } = input.context;
  const { namespace } = targetIn(first, input);
  const pages = deps.kube.list({ type, ...(namespace === undefined ? {} : { namespace }) }, { signal });
  // A list that starts over shows everything again; planning an item again gives the same result.
  for await (const { items } of pages) {
    for (const item of items) yield { ...item, apiVersion: item.apiVersion ?? '', kind: type.kind };
  }
}

/** Undefined when the cluster does not serve it yet, because its definition comes with the restore. */
async function typeOf(key: ArchiveKey, { archive, types }: PlanGroupInput): Promise<ApiResource | undefined> {
  if (!archive.has(key)) return types.typeOf('v1', 'Namespace');
  const object = await archive.read(key);
  return types.typeOf(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '');
}

async function planOne(source: ArchiveKey, current: JsonObject | undefined, input: PlanGroupInput): Promise<Planned> {
  const { archive, types } = input;
  const backedUp = archive.has(source) ? await archive.read(source) : undefined;
  let prepared: Prepared;
  try {
    prepared = await prepareOne(source, backedUp, input.prepare, input.context);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { action: 'fail', reason: messageOf(error) };
  }
  if (prepared.kind === 'skip') return { leftOut: prepared.reason };
  for (const key of prepared.additionalItems) input.onNeeded(key);
  const apiVersion = textAt(prepared.item, 'apiVersion') ?? '';
  const isServed = types.typeOf(apiVersion, textAt(prepared.item, 'kind') ?? '') !== undefined;
  if (!isServed && types.serves(source.groupResource)) {
    return { action: 'fail', reason: `the backup has it as ${apiVersion}, which the cluster does not serve` };
  }
  if (current !== undefined) return beside(current, source, prepared.item, input);
  if (!mayBeNamed(source)) return { action: 'fail', reason: 'the API server takes no object of that name' };
  const { errors } = prepared;
  return errors.length === 0 ? { action: 'create' } : { action: 'create', reason: errors.join('; ') };
}

/** Types whose names need not be those of DNS. */
const FREELY_NAMED = /\.rbac\.authorization\.k8s\.io$|^ipaddresses\.networking\.k8s\.io$/;

function mayBeNamed({ groupResource, name }: ArchiveKey): boolean {
  return isObjectName(name) || FREELY_NAMED.test(groupResource);
}

function beside(inCluster: JsonObject, source: ArchiveKey, wanted: JsonObject, input: PlanGroupInput): Planned {
  const { groupResource } = source;
  if (groupResource === 'namespaces') return { action: 'exists' };
  const { restore, names } = input.prepare;
  const policy = restore.spec.existingResourcePolicy === 'update' ? 'update' : 'none';
  return ofDecision(decideExisting({ groupResource, inCluster, wanted, policy, names }));
}

function ofDecision(decision: ExistingDecision): Planned {
  if (decision.kind === 'warn') return { action: 'exists', reason: 'it differs from the one in the backup' };
  if (decision.kind !== 'patch') return { action: 'exists' };
  return { action: 'update', reason: `changes ${changedFields(decision.patch).join(', ')}` };
}

const MAX_FIELDS = 5;

/** The fields that a merge patch touches, two levels deep. */
function changedFields(patch: JsonObject): string[] {
  const fields = Object.entries(patch).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${key}.${inner}`)
      : [key],
  );
  return fields.length > MAX_FIELDS ? [...fields.slice(0, MAX_FIELDS), `${fields.length - MAX_FIELDS} more`] : fields;
}

function targetIn(key: ArchiveKey, { context }: PlanGroupInput): ArchiveKey {
  return targetOf(key, context.restore.spec.namespaceMapping ?? {});
}
