import { Backup, type BackupSpec } from '../../../../api/index.ts';
import { NO_LOG } from '../../../../base/index.ts';
import { VELERO_DEFAULTS, type BackupPlan } from '../../../../core/backup/index.ts';
import type { ItemKey } from '../../../../core/progress/index.ts';
import type { ResourcePolicies } from '../../../../core/selection/index.ts';
import type { KubeClient, KubeObject } from '../../../../edge/kube/index.ts';
import { Findings, patienceOf, type PatientCalls } from '../../../operation/index.ts';
import type { ControlDeps } from '../../ports.ts';
import type { BackupOptions } from '../backup-kind.ts';
import type { Collected } from '../items/collected.ts';
import type { Collector } from '../items/collector.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { prepareBackup } from '../prepare.ts';
import { openWalk, type WalkDeps } from '../items/walk.ts';

export interface DryRunDeps extends Pick<ControlDeps, 'clock' | 'random' | 'namespace'> {
  /** Uses the permissions of the user who asks. */
  kube: KubeClient;
}

export interface DryRunOptions extends BackupOptions {
  onLeftOut?: NonNullable<WalkDeps['onLeftOut']>;
}

/** What a backup that would not be refused would contain. */
export interface FoundBackup {
  plan: BackupPlan;
  collector: Collector;
  findings: Findings;
  /** With the defaults of the server. */
  spec: BackupSpec;
  policies: ResourcePolicies | undefined;
  api: PatientCalls;
}

/** Why a backup would be refused, or what it would contain. */
export type DryRun = { validationErrors: string[] } | ({ validationErrors?: undefined } & FoundBackup);

/** A user waits for the answer, so do not wait long for the API server. */
const PATIENCE_MS = 10_000;

/** Looks for everything the way the backup itself does. Creates nothing, runs no hooks. */
export async function dryRun(
  object: unknown,
  deps: DryRunDeps,
  { onLeftOut, ...options }: DryRunOptions,
  signal: AbortSignal,
): Promise<DryRun> {
  const { kube, namespace } = deps;
  const backup = Backup.parse(object).value;
  const defaults = { ...VELERO_DEFAULTS, ...options.defaults };
  const prepared = await prepareBackup(kube, backup as unknown as KubeObject, { namespace, defaults, signal });
  const { spec, policies, problems } = prepared;
  if (problems.length > 0) return { validationErrors: problems };
  const findings = new Findings(NO_LOG, FINDING_TEXTS);
  const untold = { wait: () => ({ tell: () => undefined, end: () => undefined }) };
  const api = patienceOf(untold, deps, PATIENCE_MS).until(signal);
  const walk = await openWalk(
    { name: backup.metadata.name ?? '', spec, policies },
    { kube, api, apiForLists: api, findings, signal, ...(onLeftOut === undefined ? {} : { onLeftOut }) },
  );
  return { ...walk, findings, spec, policies, api };
}

export interface ItemsNow {
  keys: AsyncIterable<ItemKey>;
  /** Call it when there are no more keys. */
  problems(): string[];
}

/** The names of everything that a backup would contain now, and why some may be missing. */
export async function itemsOfBackup(object: unknown, deps: DryRunDeps, signal: AbortSignal): Promise<ItemsNow> {
  const found = await dryRun(object, deps, {}, signal);
  if (found.validationErrors !== undefined) {
    const { validationErrors } = found;
    return { keys: keysOf([]), problems: () => validationErrors };
  }
  const { collector, findings } = found;
  return { keys: keysOf(collector.items()), problems: () => findings.lines().slice(0, findings.errors) };
}

async function* keysOf(items: AsyncIterable<Collected> | Iterable<Collected>): AsyncGenerator<ItemKey> {
  for await (const { key } of items) yield key;
}
