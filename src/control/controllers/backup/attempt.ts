import type { BackupSpec } from '../../../api/index.ts';
import { AppError } from '../../../base/index.ts';
import { VELERO_LAYOUT } from '../../../core/backup/index.ts';
import { exact, itemName, type ItemKey } from '../../../core/progress/index.ts';
import { writeArchive, type ArchiveSummary, type ArchiveWriter } from '../../../edge/archive/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { abortUploads, backupKeys, withPatience, type Store } from '../../../edge/store/index.ts';
import { ApiPatience, type OperationLog, type OperationRun } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';
import { archiveItems } from './archive-items.ts';
import { Collector } from './collector.ts';
import { removeFiles } from './files.ts';
import type { Findings } from './findings.ts';
import { Listing, queriesOf, type Query } from './listing.ts';
import { readMetadata, type StoredBackup } from './metadata.ts';
import type { PodHooks } from './pod-hooks.ts';
import { readPolicies } from './policies.ts';
import { attemptOf } from './status.ts';
import { surveyCluster } from './survey.ts';
import type { Tally } from './tally.ts';
import { Volumes, type VolumeReport } from './volumes.ts';

export interface AttemptDeps extends ControlDeps {
  run: OperationRun;
  operationLog: OperationLog;
  findings: Findings;
  hooks: PodHooks;
  /** The counts begin, and grow from here on. */
  onTally: (tally: Tally) => void;
}

/** What there is to finalize: a new archive, or a backup that the last process had finished but for its status. */
export type Archived =
  { kind: 'new'; archive: ArchiveSummary; volumes: VolumeReport } | { kind: 'whole'; stored: StoredBackup };

/** Often enough for a page that is looked at, and the items themselves cost nothing. */
const COUNT_EVERY_MS = 100;

/** One try at a backup, from looking at the cluster to the archive in the store. */
export class Attempt {
  /** Set once nobody else's files can be in the folder. */
  ownsFolder = false;
  store: Store | undefined;
  readonly #backup: KubeObject;
  readonly #spec: BackupSpec;
  readonly #deps: AttemptDeps;
  #current: ItemKey | undefined;

  constructor(backup: KubeObject, spec: BackupSpec, deps: AttemptDeps) {
    this.#backup = backup;
    this.#spec = spec;
    this.#deps = deps;
  }

  async perform(signal: AbortSignal): Promise<Archived> {
    const { run, hooks } = this.#deps;
    run.feed({ kind: 'stage', stage: 'discovering' });
    // Whatever else happens, nobody's application stays frozen for it.
    await hooks.closeAll(signal);
    const api = patienceFor(this.#deps, signal);
    const { store, stored } = await this.#reach(api, signal);
    if (stored !== undefined) return { kind: 'whole', stored };
    const { namespace, kube, findings } = this.#deps;
    const read = await api.call(() => readPolicies(kube, namespace, this.#spec.resourcePolicy, signal));
    if (read !== undefined && read.policies === undefined) throw badPolicies(read.problems);
    const policies = read?.policies;
    const { name } = this.#backup.metadata;
    const survey = await surveyCluster(
      { name, spec: this.#spec, policies },
      { kube, findings, signal, api, onLook: this.#look },
    );
    this.#tellDoubts(survey.plan.filter.doubts);
    const queries = survey.plan.lists.flatMap(queriesOf);
    const { lists, leftOut, namespaces, types } = survey.plan;
    const { operationLog } = this.#deps;
    operationLog.info('backup is planned', {
      ...{ namespaces: namespaces.chosen.length, types: types.size, kinds: lists.length, lists: queries.length },
      leftOutKinds: leftOut.length,
    });
    const listing = new Listing({ kube, api, signal });
    await this.#survey(listing, queries);
    const { plan, actions } = survey;
    const collector = new Collector({
      ...{ kube, findings, signal, api },
      ...{ plan, actions, listing, queries },
    });
    this.#deps.onTally(collector.tally);
    const volumes = new Volumes(survey.plan.spec.defaultVolumesToFsBackup === true);
    operationLog.info('items are counted', { total: collector.tally.total() });
    const archive = await this.#archive(store, collector, volumes, signal);
    operationLog.info('archive is in the store', { ...archive });
    if (volumes.size > 0) run.feed({ kind: 'stage', stage: 'volumes' });
    return { kind: 'new', archive, volumes: await volumes.report(policies, { kube, findings, signal, api }) };
  }

  /** For one that is stopped before it has looked: what an earlier attempt left is to go, unless it is whole. */
  async takeOver(signal: AbortSignal): Promise<StoredBackup | undefined> {
    if (this.ownsFolder || attemptOf(this.#backup) <= 1) return undefined;
    return (await this.#reach(patienceFor(this.#deps, signal), signal)).stored;
  }

  async #reach(api: ApiPatience, signal: AbortSignal): Promise<{ store: Store; stored: StoredBackup | undefined }> {
    const store = await this.#openStore(api, signal);
    return { store, stored: await this.#claimFolder(store, signal) };
  }

  #tellDoubts(doubts: readonly string[]): void {
    if (doubts.length === 0) return;
    const message = doubts.join('; ');
    this.#deps.run.setCondition({ type: 'UnknownKinds', status: 'True', reason: 'NotServed', message });
  }

  async #openStore(api: ApiPatience, signal: AbortSignal): Promise<Store> {
    const { stores, run, operationLog, clock, random } = this.#deps;
    const name = this.#spec.storageLocation ?? '';
    const { store } = await api.call(() => stores.open(name, signal));
    this.store = store;
    return withPatience(store, {
      ...{ clock, random, log: operationLog },
      onWaiting: (cause) => {
        run.waiting(cause);
      },
      onResumed: () => {
        run.resumed();
      },
    });
  }

  /** Nothing of another backup is overwritten, and nothing of an earlier attempt is left. */
  async #claimFolder(store: Store, signal: AbortSignal): Promise<StoredBackup | undefined> {
    const { name, uid = '' } = this.#backup.metadata;
    this.#look(store.where);
    const stored = await readMetadata(store, name, signal);
    if (stored !== undefined && stored.uid !== uid) {
      throw new AppError('alreadyExists', `backup ${name} already exists in object storage (${store.where})`);
    }
    this.ownsFolder = true;
    if (stored?.isEnded === true) return stored;
    if (attemptOf(this.#backup) > 1) {
      await abortUploads(store, backupKeys(name).folder, { signal });
      await removeFiles(store, name, { signal });
    }
    return undefined;
  }

  async #survey(listing: Listing, queries: readonly Query[]): Promise<void> {
    this.#deps.run.feed({ kind: 'stage', stage: 'listing' });
    await listing.count(queries, ({ list, target }) => {
      const where = target.namespace === undefined ? '' : ` in ${target.namespace}`;
      this.#look(`${list.groupResource}${where}`);
    });
  }

  async #archive(store: Store, collector: Collector, volumes: Volumes, signal: AbortSignal): Promise<ArchiveSummary> {
    const { run, hooks, findings, clock, operationLog } = this.#deps;
    run.feed({ kind: 'stage', stage: 'archiving' });
    const onItem = (key: ItemKey): void => {
      this.#current = key;
    };
    const onEnd = (): void => {
      this.#tell(collector, writer);
      for (const { kind, created, failed } of collector.tally.byKind()) {
        operationLog.info('archived all of a kind', { kind, items: created, failed });
      }
      run.feed({ kind: 'stage', stage: 'uploading' });
    };
    const items = archiveItems(collector.items(), { hooks, volumes, findings, signal, onItem, onEnd });
    const writer = writeArchive(items, { layout: VELERO_LAYOUT, now: new Date(clock.now()), signal });
    const key = backupKeys(this.#backup.metadata.name).contents;
    const counting = new AbortController();
    void this.#count(collector, writer, counting.signal);
    try {
      const onProgress = (done: number): void => {
        const { sha256, archiveBytes } = writer.summary();
        run.feed({ kind: 'worked' });
        if (sha256 !== undefined) run.feed({ kind: 'measure', unit: 'bytes', done, total: exact(archiveBytes) });
      };
      const { size } = await store.put(key, writer.bytes, { signal, onProgress });
      run.feed({ kind: 'measure', unit: 'bytes', done: size, total: exact(size) });
      operationLog.info('stored the archive', { key, bytes: size });
    } catch (error) {
      // What the store says of a source that failed is not what failed.
      throw writer.failure() ?? error;
    } finally {
      counting.abort();
    }
    return writer.summary();
  }

  /** By the clock and not by the items: what was counted is told also when the next item does not come. */
  async #count(collector: Collector, writer: ArchiveWriter, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#tell(collector, writer);
      // It rejects only when there is nothing more to count, and the loop looks at that itself.
      await this.#deps.clock.sleep(COUNT_EVERY_MS, signal).catch(() => undefined);
    }
  }

  #tell({ tally }: Collector, writer: ArchiveWriter): void {
    const { run } = this.#deps;
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) run.feed({ kind: 'current', current: itemName(current) });
    run.feed({ kind: 'measure', unit: 'items', done: writer.summary().items, total: tally.total() });
  }

  readonly #look = (current: string): void => {
    this.#deps.run.feed({ kind: 'current', current });
    this.#deps.run.feed({ kind: 'worked' });
  };
}

/** Waits for the API server, and tells whom it keeps waiting. */
export function patienceFor(
  { clock, random, run }: Pick<AttemptDeps, 'clock' | 'random' | 'run'>,
  signal: AbortSignal,
): ApiPatience {
  return new ApiPatience({
    ...{ clock, random, signal },
    onWaiting: (cause) => {
      run.waiting(cause);
    },
    onResumed: () => {
      run.resumed();
    },
  });
}

function badPolicies(problems: readonly string[]): AppError {
  return new AppError('invalid', `the resource policies changed since the backup was accepted: ${problems.join('; ')}`);
}
