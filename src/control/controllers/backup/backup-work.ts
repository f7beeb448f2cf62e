import { Backup, type BackupPhase, type BackupSpec } from '../../../api/index.ts';
import { AppError, messageOf, textAt, type JsonObject } from '../../../base/index.ts';
import { expirationOf, VELERO_DEFAULTS, type BackupPlan } from '../../../core/backup/index.ts';
import { estimate, UNKNOWN } from '../../../core/progress/index.ts';
import type { ResourcePolicies } from '../../../core/selection/index.ts';
import type { ArchiveSummary } from '../../../edge/archive/index.ts';
import { backupKeys } from '../../../edge/store/index.ts';
import {
  Findings,
  tellSelection,
  UNHURRIED,
  type Ending,
  type Operation,
  type PatientCalls,
  type Snapshot,
  type Work,
} from '../../operation/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import { countEnd } from './end-metrics.ts';
import { writeFiles } from './files/files.ts';
import { FINDING_TEXTS } from './finding-texts.ts';
import { BackupFolder } from './files/folder.ts';
import { HookRecord, HOOKS_FINALIZER } from './hooks/hook-record.ts';
import { archiveStatus, metadataFor, type StoredBackup } from './files/metadata.ts';
import { PodHooks } from './hooks/pod-hooks.ts';
import { readPolicies } from './policies.ts';
import { reportAtEnd, statusOf, type BackupState } from './status.ts';
import type { Collector } from './items/collector.ts';
import type { Tally } from './items/tally.ts';
import { mayBeFrozen, PODS_MAY_BE_FROZEN } from './hooks/frozen-condition.ts';
import { uploadArchive } from './files/upload-archive.ts';
import type { BackupVolumes } from './volumes/backup-volumes.ts';
import { recordRepositories } from './volumes/repository-records.ts';
import { reportVolumes, type VolumeReport } from './volumes/volume-report.ts';
import { VolumesOfAttempt } from './volumes/volumes-of-attempt.ts';
import { openWalk, type Walk } from './items/walk.ts';

/** For cleaning up after a failure; the store may be what failed. */
const CLEAN_UP_MS = 20_000;
/** One attempt at a backup, from reading the cluster to storing the last file. */
export class BackupWork implements Work {
  readonly #operation: Operation;
  readonly #spec: BackupSpec;
  readonly #deps: ControlDeps;
  readonly #findings: Findings;
  readonly #hooks: PodHooks;
  readonly #folder: BackupFolder;
  readonly #volumes: VolumesOfAttempt;
  readonly #startTimestamp: string;
  readonly #expiration: string;
  #phase: BackupPhase = 'InProgress';
  #tally: Tally | undefined;
  #itemsByKind: JsonObject[] = [];
  #archiveBytes: number | undefined;

  constructor(operation: Operation, deps: ControlDeps) {
    const { object, run, log, lasting } = operation;
    this.#operation = operation;
    this.#deps = deps;
    this.#spec = Backup.parse(object).value.spec;
    this.#findings = new Findings(log, FINDING_TEXTS);
    this.#folder = new BackupFolder(operation, deps.stores);
    const [findings, folder, spec] = [this.#findings, this.#folder, this.#spec];
    this.#volumes = new VolumesOfAttempt({ operation, deps, findings, folder, spec });
    const now = deps.clock.now();
    this.#startTimestamp = textAt(object, 'status', 'startTimestamp') ?? toTime(now);
    this.#expiration = textAt(object, 'status', 'expiration') ?? expirationOf(now, this.#spec, VELERO_DEFAULTS);
    this.#hooks = new PodHooks({
      ...{ kube: deps.kube, clock: deps.clock, hooks: this.#spec.hooks, findings: this.#findings, lasting },
      record: new HookRecord(object, async (openHooks, signal) => {
        const finalizer = { name: HOOKS_FINALIZER, isWanted: openHooks !== null };
        await run.commit({ status: { openHooks }, finalizer }, signal);
      }),
      api: (signal) => operation.api(signal),
      onCurrent: (current) => {
        run.feed({ kind: 'current', current });
      },
      onWaiting: (cause) => run.wait(cause, 'slow'),
    });
  }

  statusOf(snapshot: Snapshot): JsonObject {
    return statusOf(this.#state(this.#phase), snapshot);
  }

  summary(): string {
    const { warnings, errors } = this.#findings;
    return `${this.#items} items, ${warnings} warnings, ${errors} errors`;
  }

  async perform(signal: AbortSignal): Promise<Ending> {
    const { run, log } = this.#operation;
    run.feed({ kind: 'stage', stage: 'discovering' });
    // Whatever else happens, no application stays frozen for an attempt that has ended.
    await this.#thaw();
    this.#look(`location ${this.#spec.storageLocation ?? ''}`);
    const stored = await this.#folder.claim(this.#spec.storageLocation ?? '', signal);
    if (stored !== undefined) return this.#endingOf(stored);
    const { archive, volumes } = await this.#archiveWithVolumes(signal);
    if (this.#hooks.open.length > 0) await this.#thaw();
    log.info('archive is in the store', { ...archive });
    return await this.#finalize(archive, volumes, signal);
  }

  /** Failed, canceled or deleted: leaves nothing that looks like a backup, and no pod frozen. */
  async breakOff({ stop, ending }: Parameters<Work['breakOff']>[0]): Promise<Ending | undefined> {
    if (stop === undefined) this.#findings.error('operation', ending.reason ?? '');
    await this.#thaw();
    const stored = stop === undefined ? undefined : await this.#takeOver();
    // The cancel came too late.
    if (stored !== undefined) return this.#endingOf(stored);
    await this.#volumes.discard();
    try {
      const { log } = this.#operation;
      await this.#folder.clear(stop === 'deleted' ? undefined : () => log.gzipped(), this.#cleanUpSignal());
    } catch (error) {
      this.#operation.log.warn('what was uploaded could not be removed', { err: messageOf(error) });
    }
    return undefined;
  }

  async handOver(): Promise<void> {
    await this.#thaw();
  }

  onEnded({ state }: Ending): void {
    const { warnings, errors } = this.#findings;
    const counted = { items: this.#items, warnings, errors, archiveBytes: this.#archiveBytes };
    const { object } = this.#operation;
    countEnd({ object, state, startTimestamp: this.#startTimestamp, ...counted }, this.#deps);
  }

  close(): void {
    this.#folder[Symbol.dispose]();
  }

  /** Runs the post hooks that are still open, and reports which pods could not be reached. */
  async #thaw(): Promise<void> {
    const { run } = this.#operation;
    await this.#hooks.closeAll();
    const { open } = this.#hooks;
    if (open.length === 0) run.removeCondition(PODS_MAY_BE_FROZEN);
    else run.setCondition(mayBeFrozen(open));
  }

  /** The archive, and beside it the volumes; when this returns or throws, nothing is copied any more. */
  async #archiveWithVolumes(signal: AbortSignal): Promise<{ archive: ArchiveSummary; volumes: VolumeReport }> {
    try {
      return await this.#volumes.beside(signal, (copying) => this.#archive(signal, copying));
    } finally {
      await this.#hooks.settled();
    }
  }

  async #archive(
    signal: AbortSignal,
    copying: AbortSignal,
  ): Promise<{ archive: ArchiveSummary; volumes: VolumeReport }> {
    const { kube, namespace } = this.#deps;
    const apiForLists = this.#operation.api(signal, UNHURRIED);
    const read = await apiForLists.call(() => readPolicies(kube, namespace, this.#spec.resourcePolicy, signal));
    if (read !== undefined && read.policies === undefined) throw badPolicies(read.problems);
    const policies = read?.policies;
    const walk = await this.#openWalk(policies, apiForLists, signal);
    try {
      const volumes = await this.#volumes.open(walk.plan.spec, policies, copying);
      return await this.#archiveItems(walk, volumes, signal);
    } finally {
      await walk.end();
    }
  }

  async #openWalk(
    policies: ResourcePolicies | undefined,
    apiForLists: PatientCalls,
    signal: AbortSignal,
  ): Promise<Walk> {
    const { run, log, object } = this.#operation;
    const api = this.#operation.api(signal);
    const walk = await openWalk(
      { name: object.metadata.name, spec: this.#spec, policies },
      {
        ...{ kube: this.#deps.kube, api, apiForLists, findings: this.#findings, signal, onLook: this.#look },
        onPlanned: (plan) => {
          this.#tellPlan(plan);
          run.feed({ kind: 'stage', stage: 'listing' });
        },
        // Nothing is archived yet, which is a percent too: whoever waits sees what it is that will take a while.
        onCounted: (items) => {
          const total = items === undefined ? UNKNOWN : estimate(Math.round(items));
          run.feed({ kind: 'measure', unit: 'items', done: 0, total });
        },
      },
    );
    log.info('items are counted', { lists: walk.lists, total: walk.collector.tally.total() });
    return walk;
  }

  async #archiveItems(
    { collector }: Walk,
    volumes: BackupVolumes,
    signal: AbortSignal,
  ): Promise<{ archive: ArchiveSummary; volumes: VolumeReport }> {
    const { run, object } = this.#operation;
    const findings = this.#findings;
    this.#tally = collector.tally;
    const archive = await uploadArchive(
      { store: this.#folder.store, key: backupKeys(object.metadata.name).contents },
      collector,
      {
        ...{ clock: this.#deps.clock, operation: this.#operation, hooks: this.#hooks, volumes, findings },
        onCount: () => {
          this.#count(collector);
        },
      },
      signal,
    );
    this.#archiveBytes = archive.archiveBytes;
    tellSelection(collector.selected, 'nothing in the cluster was selected', { run, findings });
    if (volumes.size > 0) run.feed({ kind: 'stage', stage: 'volumes' });
    const report = await reportVolumes(volumes, findings);
    // Pods thaw as soon as their volumes are copied, and before anything is called done.
    await this.#hooks.settled();
    await recordRepositories(report.podVolumeBackups, this.#operation, this.#deps, signal);
    return { archive, volumes: report };
  }

  /** The total and the counts by kind together, so that no page shows them from two different moments. */
  #count({ tally, isAtPostponed }: Collector): void {
    this.#itemsByKind = tally.byKind();
    const waitsFor = isAtPostponed ? 'bytes' : undefined;
    this.#operation.run.feed({ kind: 'measure', unit: 'items', done: tally.archived, total: tally.total(), waitsFor });
  }

  /** Stores everything but the archive, the metadata last. */
  async #finalize(archive: ArchiveSummary, volumes: VolumeReport, signal: AbortSignal): Promise<Ending> {
    const { run, log, object } = this.#operation;
    run.feed({ kind: 'stage', stage: 'finalizing' });
    this.#tellMissing(volumes);
    const isWhole = this.#findings.errors === 0;
    this.#phase = isWhole ? 'Finalizing' : 'FinalizingPartiallyFailed';
    const phase = isWhole ? 'Completed' : 'PartiallyFailed';
    const ending = { phase, completionTimestamp: toTime(this.#deps.clock.now()), archive: archiveStatus(archive) };
    log.info('backup is archived', { phase, items: archive.items });
    const snapshot = run.snapshot;
    const last = { ...snapshot, report: reportAtEnd(snapshot.report, isWhole) };
    const status = { ...statusOf(this.#state(phase), last), ...ending };
    await writeFiles(
      this.#folder.store,
      object.metadata.name,
      {
        resourceList: this.#tally?.resourceList() ?? {},
        results: this.#findings.results(),
        volumeInfo: volumes.infos,
        pluginBackups: volumes.pluginBackups,
        podVolumeBackups: volumes.podVolumeBackups,
        log: () => log.gzipped(),
        metadata: metadataFor(object, status, archive),
      },
      { signal },
    );
    return { state: isWhole ? 'completed' : 'partiallyFailed', status: ending };
  }

  /** The previous process had finished everything except the status. */
  #endingOf({ status }: StoredBackup): Ending {
    this.#operation.log.info('the backup was already complete, only its status was missing');
    this.#operation.run.feed({ kind: 'stage', stage: 'finalizing' });
    const phase = textAt(status, 'phase') === 'Completed' ? 'Completed' : 'PartiallyFailed';
    return { state: phase === 'Completed' ? 'completed' : 'partiallyFailed', status: { ...status, phase } };
  }

  /** Takes over the files of an earlier attempt; undefined if they are not a complete backup, or cannot be reached. */
  async #takeOver(): Promise<StoredBackup | undefined> {
    if (this.#folder.isOurs || this.#operation.attempt <= 1) return undefined;
    try {
      return await this.#folder.claim(this.#spec.storageLocation ?? '', this.#cleanUpSignal());
    } catch (error) {
      this.#operation.log.warn('what an earlier attempt left could not be removed', { err: messageOf(error) });
      return undefined;
    }
  }

  #cleanUpSignal(): AbortSignal {
    return AbortSignal.any([this.#operation.lasting, AbortSignal.timeout(CLEAN_UP_MS)]);
  }

  #tellPlan({ lists, leftOut, namespaces, types }: BackupPlan): void {
    const { log } = this.#operation;
    log.info('backup is planned', {
      ...{ namespaces: namespaces.chosen.length, types: types.size, kinds: lists.length },
      leftOutKinds: leftOut.length,
    });
  }

  /** When everything was looked for, so that it is known what the selectors matched. */
  #tellMissing({ missing }: VolumeReport): void {
    if (missing === undefined) return;
    this.#operation.run.setCondition({
      type: 'VolumeDataMissing',
      status: 'True',
      reason: 'VolumesNotCopied',
      message: missing,
    });
  }

  #state(phase: BackupPhase): BackupState {
    return {
      phase,
      startTimestamp: this.#startTimestamp,
      expiration: this.#expiration,
      warnings: this.#findings.warnings,
      errors: this.#findings.errors,
      hookStatus: this.#hooks.status,
      itemsByKind: this.#itemsByKind,
    };
  }

  get #items(): number {
    return this.#operation.run.report.measures.find(({ unit }) => unit === 'items')?.done ?? 0;
  }

  readonly #look = (current: string): void => {
    const { run } = this.#operation;
    run.feed({ kind: 'current', current });
    run.feed({ kind: 'worked' });
  };
}

function badPolicies(problems: readonly string[]): AppError {
  return new AppError('invalid', `the resource policies changed since the backup was accepted: ${problems.join('; ')}`);
}
