import { Restore } from '../../../api/index.ts';
import { messageOf, type JsonObject } from '../../../base/index.ts';
import { phaseAfterItems } from '../../../core/restore/index.ts';
import {
  Findings,
  tellSelection,
  UNHURRIED,
  withGrace,
  type Ending,
  type Operation,
  type Snapshot,
  type Work,
} from '../../operation/index.ts';
import { toTime } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import type { BackupSource, RestoreContext } from './context.ts';
import { storeEndingFiles } from './ending-files.ts';
import { FINDING_TEXTS } from './finding-texts.ts';
import { ExecHooks } from './items/exec-hooks.ts';
import { restoreItems } from './items/restore-items.ts';
import type { RestoreSettings } from './options.ts';
import { RestoredItems } from './restored-items.ts';
import { RestoreStatus } from './restore-status.ts';
import { withItems } from './source/open-items.ts';
import { ServedTypes } from './source/served-types.ts';
import { openSource } from './source/source.ts';
import { endLeftVolumes } from './volumes/end-left-volumes.ts';

/** How long a request in flight may take after a stop. */
const GRACE_MS = 2_000;
/** A user who canceled must not wait for the end as long as a store may be unreachable. */
const CANCELED_LIMIT_MS = 20_000;
/** For movers of an earlier attempt to end. */
const END_VOLUMES_MS = 60_000;
const NOT_STORED = 'ResultsNotStored';

/** One attempt at a restore, from discovery to the last hook. */
export class RestoreWork implements Work {
  readonly #operation: Operation;
  readonly #deps: ControlDeps;
  readonly #settings: RestoreSettings;
  readonly #restore: Restore;
  readonly #findings: Findings;
  readonly #status: RestoreStatus;
  readonly #restored = new RestoredItems();
  #source: BackupSource | undefined;

  constructor(operation: Operation, deps: ControlDeps, settings: RestoreSettings) {
    this.#operation = operation;
    this.#deps = deps;
    this.#settings = settings;
    this.#restore = Restore.parse(operation.object).value;
    this.#findings = new Findings(operation.log, FINDING_TEXTS);
    const startedAt = toTime(deps.clock.now());
    this.#status = new RestoreStatus(this.#restore, { findings: this.#findings, startedAt });
  }

  statusOf(snapshot: Snapshot): JsonObject {
    return this.#status.statusOf(snapshot);
  }

  summary(): string {
    const { errors, warnings } = this.#findings;
    const { created = 0, updated = 0, skipped = 0, failed = 0 } = this.#operation.run.report.counts ?? {};
    const counts = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
    return `${counts}, ${errors} errors, ${warnings} warnings`;
  }

  async perform(signal: AbortSignal): Promise<Ending> {
    const grace = withGrace(signal, GRACE_MS, this.#deps.clock);
    const context = this.#contextOf(signal, AbortSignal.any([grace.signal, this.#operation.lasting]));
    try {
      this.#source = await openSource(context);
      await this.#restoreFrom(context, this.#source);
    } finally {
      grace.clear();
    }
    const ending: Ending = { state: this.#findings.errors > 0 ? 'partiallyFailed' : 'completed' };
    await this.#storeFiles(signal);
    signal.throwIfAborted();
    return ending;
  }

  async breakOff({ stop, ending }: Parameters<Work['breakOff']>[0]): Promise<undefined> {
    if (stop === undefined) this.#findings.error('operation', ending.reason ?? '');
    await this.#endVolumes(ending.reason ?? '');
    // Its object is being deleted, and its files with it.
    if (stop === 'deleted') return;
    const { lasting } = this.#operation;
    const isCanceled = stop === 'canceled';
    await this.#storeFiles(isCanceled ? AbortSignal.any([lasting, AbortSignal.timeout(CANCELED_LIMIT_MS)]) : lasting);
  }

  /** What an earlier process was filling, when this one was stopped before it came to volumes. */
  async #endVolumes(reason: string): Promise<void> {
    const { attempt, lasting, log } = this.#operation;
    if (attempt <= 1) return;
    try {
      const signal = AbortSignal.any([lasting, AbortSignal.timeout(END_VOLUMES_MS)]);
      await endLeftVolumes(this.#operation, this.#deps, { signal, message: `ended with its restore: ${reason}` });
    } catch (error) {
      log.warn('movers of an earlier attempt may still run', { err: messageOf(error) });
    }
  }

  close(): void {
    this.#source?.[Symbol.dispose]();
  }

  #contextOf(signal: AbortSignal, changes: AbortSignal): RestoreContext {
    const { object, run, log, patient } = this.#operation;
    return {
      ...{ restore: this.#restore, object, deps: this.#deps, settings: this.#settings, run, log, patient },
      ...{ findings: this.#findings, status: this.#status, signal, changes, operation: this.#operation },
      api: this.#operation.api(changes, UNHURRIED),
    };
  }

  async #restoreFrom(context: RestoreContext, source: BackupSource): Promise<void> {
    const { deps, api, signal, status, run } = context;
    run.feed({ kind: 'stage', stage: 'discovering' });
    const types = await api.call(() => ServedTypes.discover(deps.kube, { signal }));
    status.kindOf = (groupResource) => types.kindOf(groupResource) ?? groupResource;
    await withItems(context, source, types, async (items) => {
      tellSelection(items.collected.selected, 'nothing in the backup was selected', context);
      const hooks = new ExecHooks(context);
      try {
        await restoreItems(context, { source, types, ...items, hooks, restored: this.#restored });
        this.#enterFinalizing(context);
      } finally {
        await hooks.finish();
      }
      signal.throwIfAborted();
    });
  }

  #enterFinalizing({ status, run }: RestoreContext): void {
    const hadErrors = this.#findings.errors > 0 || status.phase === 'FinalizingPartiallyFailed';
    status.phase = phaseAfterItems(hadErrors, false);
    run.feed({ kind: 'stage', stage: 'finalizing' });
  }

  /** If files cannot be stored, a condition says so; it does not change how the restore ended. */
  async #storeFiles(signal: AbortSignal): Promise<void> {
    if (this.#source === undefined) return;
    const { log, run } = this.#operation;
    try {
      log.info('storing the results', { summary: this.summary() });
      await storeEndingFiles({
        ...{ store: this.#source.store, name: this.#restore.metadata.name ?? '', run, log, signal },
        ...{ results: this.#findings.results(), items: this.#restored },
      });
      run.removeCondition(NOT_STORED);
    } catch (error) {
      log.error('files of the restore are not stored', { err: messageOf(error) });
      const message = `the results of the restore could not be stored: ${messageOf(error)}`;
      run.setCondition({ type: NOT_STORED, status: 'True', reason: 'StoreFailed', message });
    }
  }
}
