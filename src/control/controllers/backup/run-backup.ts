import { Backup, type BackupPhase, type BackupSpec } from '../../../api/index.ts';
import { AppError, messageOf, textAt, toAppError, type JsonObject } from '../../../base/index.ts';
import { expirationOf, isEnded, missingDataMessage, VELERO_DEFAULTS } from '../../../core/backup/index.ts';
import type { Report } from '../../../core/progress/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { abortUploads, backupKeys, withPatience, type Store } from '../../../edge/store/index.ts';
import { boundedText, toTime } from '../../runtime/objects/index.ts';
import { OperationRun, type EndState, type OperationLog } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';
import { announceEnd } from './announce.ts';
import { Attempt, patienceFor, type Archived } from './attempt.ts';
import { removeFiles, writeFiles } from './files.ts';
import { Findings } from './findings.ts';
import { HookRecord } from './hook-record.ts';
import { metadataFor, type StoredBackup } from './metadata.ts';
import { PodHooks } from './pod-hooks.ts';
import { attemptOf, conditionsOf, phaseOf, reportOf, stagesOf, statusOf, type BackupState } from './status.ts';
import { wishOf } from './stop-reason.ts';
import type { Tally } from './tally.ts';
import type { VolumeReport } from './volumes.ts';

/** For putting things in order after an end that was not planned; the store may be what failed. */
const CLEAN_UP_MS = 20_000;
/** Below what a process has that was told to stop. */
const LEAVE_MS = 10_000;

/** Carries one begun backup (InProgress) to its end, which it writes itself, unless its turn is over before. */
export async function runBackup(backup: KubeObject, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const { name, namespace = '', uid = '' } = backup.metadata;
  const log = await deps.logs.open(uid, { backup: `${namespace}/${name}` });
  let isOver = false;
  try {
    isOver = await new BackupRun(backup, deps, log).perform(signal);
  } finally {
    // Whoever goes on with the backup goes on with its log.
    await deps.logs.close(uid, { keep: !isOver });
  }
}

class BackupRun {
  readonly #backup: KubeObject;
  readonly #spec: BackupSpec;
  readonly #deps: ControlDeps;
  readonly #log: OperationLog;
  readonly #findings: Findings;
  readonly #hooks: PodHooks;
  readonly #run: OperationRun;
  readonly #attempt: Attempt;
  readonly #startTimestamp: string;
  readonly #expiration: string;
  #phase: BackupPhase = 'InProgress';
  #tally: Tally | undefined;

  constructor(backup: KubeObject, deps: ControlDeps, log: OperationLog) {
    this.#backup = backup;
    this.#spec = Backup.parse(backup).value.spec;
    this.#deps = deps;
    this.#log = log;
    this.#findings = new Findings(log);
    const now = deps.clock.now();
    this.#startTimestamp = textAt(backup, 'status', 'startTimestamp') ?? toTime(now);
    this.#expiration = textAt(backup, 'status', 'expiration') ?? expirationOf(now, this.#spec, VELERO_DEFAULTS);
    this.#hooks = new PodHooks({
      kube: deps.kube,
      hooks: this.#spec.hooks,
      record: new HookRecord(backup, deps),
      patience: (signal) => patienceFor({ ...deps, run: this.#run }, signal),
      findings: this.#findings,
      onCurrent: (current) => {
        this.#run.feed({ kind: 'current', current });
      },
      onWaiting: (cause) => {
        this.#run.waiting(cause, 'slow');
      },
      onResumed: () => {
        this.#run.resumed();
      },
    });
    // It begins to write status at once, so everything that status tells of is there before it.
    this.#run = this.#newRun();
    this.#attempt = new Attempt(backup, this.#spec, {
      ...{ ...deps, run: this.#run, findings: this.#findings, hooks: this.#hooks, operationLog: log },
      onTally: (tally) => {
        this.#tally = tally;
      },
    });
  }

  /** False when somebody else has to go on. */
  async perform(signal: AbortSignal): Promise<boolean> {
    const attempt = attemptOf(this.#backup);
    this.#log.info('backup begins', { attempt });
    if (attempt > 1) this.#run.feed({ kind: 'attempt' });
    try {
      await this.#finalize(await this.#attempt.perform(signal), signal);
    } catch (error) {
      if (signal.aborted && wishOf(signal) === undefined) {
        await this.#leave();
        return false;
      }
      await this.#breakOff(error, signal);
    }
    return true;
  }

  #newRun(): OperationRun {
    const { name, namespace = '' } = this.#backup.metadata;
    return new OperationRun(
      {
        target: { type: Backup, namespace, name },
        object: this.#backup,
        isOver: (object) => isEnded(phaseOf(object)),
        statusOf: (snapshot) => statusOf(this.#state(this.#phase), snapshot),
        resume: reportOf(this.#backup),
        conditions: conditionsOf(this.#backup).filter(({ type }) => type !== 'Queued'),
        stages: stagesOf(this.#backup),
      },
      this.#deps,
    );
  }

  #state(phase: BackupPhase): BackupState {
    return {
      phase,
      startTimestamp: this.#startTimestamp,
      expiration: this.#expiration,
      warnings: this.#findings.warnings,
      errors: this.#findings.errors,
      hookStatus: this.#hooks.status,
      itemsByKind: this.#tally?.byKind() ?? [],
    };
  }

  /** Everything but the archive goes into the store, the metadata last; then the status says so. */
  async #finalize(archived: Archived, signal: AbortSignal): Promise<void> {
    this.#run.feed({ kind: 'stage', stage: 'finalizing' });
    if (archived.kind === 'whole') {
      this.#log.info('the backup was whole already, only its status was missing');
      const phase = textAt(archived.stored.status, 'phase') === 'Completed' ? 'Completed' : 'PartiallyFailed';
      await this.#finish(phase === 'Completed' ? 'completed' : 'partiallyFailed', { ...archived.stored.status, phase });
      return;
    }
    this.#tellMissing(archived.volumes);
    const isWhole = this.#findings.errors === 0;
    this.#phase = isWhole ? 'Finalizing' : 'FinalizingPartiallyFailed';
    const phase = isWhole ? 'Completed' : 'PartiallyFailed';
    const ending = { phase, completionTimestamp: toTime(this.#deps.clock.now()) };
    this.#log.info('backup ends', { phase, items: archived.archive.items });
    const snapshot = this.#run.snapshot;
    const report = lastReport(snapshot.report, isWhole);
    const status = { ...statusOf(this.#state(phase), { ...snapshot, report }), ...ending };
    await writeFiles(
      this.#patientStore(),
      this.#backup.metadata.name,
      {
        resourceList: this.#tally?.resourceList() ?? {},
        results: this.#findings.results(),
        volumeInfo: archived.volumes.infos,
        log: () => this.#log.gzipped(),
        metadata: metadataFor(this.#backup, status, archived.archive),
      },
      { signal },
    );
    await this.#finish(isWhole ? 'completed' : 'partiallyFailed', ending, archived.archive.archiveBytes);
  }

  #tellMissing({ missing }: VolumeReport): void {
    if (missing.length === 0) return;
    this.#run.setCondition({
      type: 'VolumeDataMissing',
      status: 'True',
      reason: 'VolumesNotCopied',
      message: missingDataMessage(missing),
    });
  }

  /** Failed, canceled or deleted: nothing that looks like a backup is left, and nothing stays frozen. */
  async #breakOff(error: unknown, signal: AbortSignal): Promise<void> {
    const wish = wishOf(signal);
    const cause = toAppError(error);
    if (wish === undefined) {
      this.#findings.error('operation', cause.message);
      if (cause.code === 'bug') this.#deps.log.error('backup crashed', { err: cause.message, stack: stackOf(error) });
    } else this.#log.info('backup is stopped', { wish });
    await this.#hooks.closeAll(this.#cleanUpSignal());
    const stored = wish === undefined ? undefined : await this.#takeOver();
    if (stored !== undefined && wish === 'canceled') {
      // It came too late.
      await this.#finalize({ kind: 'whole', stored }, signal);
      return;
    }
    if (stored === undefined) await this.#cleanUp(wish !== 'deleted');
    if (wish === 'deleted') {
      await this.#run.leave();
      return;
    }
    if (wish === 'canceled') {
      const message = 'it was canceled on request; nothing of it is kept';
      this.#run.setCondition({ type: 'Canceled', status: 'True', reason: 'Canceled', message });
    }
    await this.#finish(wish ?? 'failed', {
      phase: 'Failed',
      failureReason: wish ?? boundedText(cause.message),
      completionTimestamp: toTime(this.#deps.clock.now()),
    });
  }

  /**
   * This process's turn is over; whoever comes next begins anew, and nobody's application waits for that frozen: the
   * lease is held until this has ended. Without it they are the next one's.
   */
  async #leave(): Promise<void> {
    if (this.#deps.mayWrite()) await this.#hooks.closeAll(AbortSignal.timeout(LEAVE_MS));
    await this.#run.leave();
  }

  /** What an earlier attempt left becomes ours; undefined when that is no whole backup, or cannot be reached. */
  async #takeOver(): Promise<StoredBackup | undefined> {
    try {
      return await this.#attempt.takeOver(this.#cleanUpSignal());
    } catch (error) {
      this.#log.warn('what an earlier attempt left could not be removed', { err: messageOf(error) });
      return undefined;
    }
  }

  async #cleanUp(withLog: boolean): Promise<void> {
    const { store, ownsFolder } = this.#attempt;
    if (store === undefined || !ownsFolder) return;
    const { name } = this.#backup.metadata;
    const call = { signal: this.#cleanUpSignal() };
    try {
      await abortUploads(store, backupKeys(name).folder, call);
      await removeFiles(store, name, call);
      if (withLog) await store.put(backupKeys(name).logs, () => this.#log.gzipped(), call);
    } catch (error) {
      this.#log.warn('what was uploaded could not be removed', { err: messageOf(error) });
    }
  }

  #cleanUpSignal(): AbortSignal {
    return AbortSignal.any([this.#deps.term(), AbortSignal.timeout(CLEAN_UP_MS)]);
  }

  #patientStore(): Store {
    const { store } = this.#attempt;
    if (store === undefined) throw new AppError('bug', 'a backup is finalized before its store was opened');
    return withPatience(store, {
      ...{ clock: this.#deps.clock, random: this.#deps.random, log: this.#log },
      onWaiting: (cause) => {
        this.#run.waiting(cause);
      },
      onResumed: () => {
        this.#run.resumed();
      },
    });
  }

  async #finish(state: EndState, ending: JsonObject, archiveBytes?: number): Promise<void> {
    const result = await this.#run.finish(state, ending);
    if (result !== 'written') return;
    const { warnings, errors } = this.#findings;
    const items = this.#run.report.measures.find(({ unit }) => unit === 'items')?.done ?? 0;
    announceEnd(this.#backup, { state, ending, warnings, errors, items, archiveBytes }, this.#deps);
  }
}

/** As the status will be: what only a running operation has is gone. */
function lastReport(report: Report, isWhole: boolean): Report {
  const { ratePerSecond: _rate, etaSeconds: _eta, current: _current, stalled: _stalled, ...rest } = report;
  const percent = isWhole ? 100 : Math.min(99, report.percent ?? 0);
  return { ...rest, state: isWhole ? 'completed' : 'partiallyFailed', percent };
}

function stackOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : undefined;
}
