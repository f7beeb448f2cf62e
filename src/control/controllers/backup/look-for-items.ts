import { Backup } from '../../../api/index.ts';
import { NO_LOG } from '../../../base/index.ts';
import { VELERO_DEFAULTS, type BackupPlan } from '../../../core/backup/index.ts';
import type { ItemKey } from '../../../core/progress/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import type { ControlDeps } from '../ports.ts';
import { ApiPatience } from '../../operation/index.ts';
import { Collector, type Collected, type CollectorDeps } from './collector.ts';
import type { BackupOptions } from './controller.ts';
import { Findings } from './findings.ts';
import { Listing, queriesOf } from './listing.ts';
import { prepareBackup } from './prepare.ts';
import { surveyCluster } from './survey.ts';

export interface LookDeps extends Pick<ControlDeps, 'clock' | 'random' | 'namespace'> {
  /** With the rights of whoever asks. */
  kube: KubeClient;
}

export interface LookOptions extends BackupOptions {
  onLeftOut?: NonNullable<CollectorDeps['onLeftOut']>;
}

/** Why a backup would be refused, or else what it would hold. */
export type Look =
  | { validationErrors: string[] }
  | { validationErrors?: undefined; plan: BackupPlan; collector: Collector; findings: Findings };

export interface ItemsNow {
  keys: AsyncIterable<ItemKey>;
  /** To be read when there are no more keys. */
  problems(): string[];
}

/** Everything is looked for as the backup itself does it. Creates nothing, runs no hooks. */
export async function lookForItems(
  object: unknown,
  deps: LookDeps,
  { onLeftOut, ...options }: LookOptions,
  signal: AbortSignal,
): Promise<Look> {
  const { kube, clock, random, namespace } = deps;
  const backup = Backup.parse(object).value;
  const defaults = { ...VELERO_DEFAULTS, ...options.defaults };
  const prepared = await prepareBackup(kube, backup as unknown as KubeObject, { namespace, defaults, signal });
  const { spec, policies, problems } = prepared;
  if (problems.length > 0) return { validationErrors: problems };
  const findings = new Findings(NO_LOG);
  const nothing = (): void => undefined;
  const api = new ApiPatience({ clock, random, signal, limitMs: 10_000, onWaiting: nothing, onResumed: nothing });
  const looking = { kube, api, findings, signal };
  const name = backup.metadata.name ?? '';
  const { plan, actions } = await surveyCluster({ name, spec, policies }, { ...looking, onLook: nothing });
  const queries = plan.lists.flatMap(queriesOf);
  const listing = new Listing(looking);
  await listing.count(queries, nothing);
  const collector = new Collector({
    ...{ ...looking, plan, actions, listing, queries },
    ...(onLeftOut === undefined ? {} : { onLeftOut }),
  });
  return { plan, collector, findings };
}

/** The names of all that a backup would hold now, and why some may be missing. */
export async function itemsOfBackup(object: unknown, deps: LookDeps, signal: AbortSignal): Promise<ItemsNow> {
  const look = await lookForItems(object, deps, {}, signal);
  if (look.validationErrors !== undefined) {
    const { validationErrors } = look;
    return { keys: keysOf([]), problems: () => validationErrors };
  }
  const { collector, findings } = look;
  return { keys: keysOf(collector.items()), problems: () => findings.lines().slice(0, findings.errors) };
}

async function* keysOf(items: AsyncIterable<Collected> | Iterable<Collected>): AsyncGenerator<ItemKey> {
  for await (const { key } of items) yield key;
}
