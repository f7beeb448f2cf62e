import type { BackupSpec } from '../../../../api/index.ts';
import { AppError, messageOf } from '../../../../base/index.ts';
import type { ResourcePolicies } from '../../../../core/selection/index.ts';
import { stopOf, type Findings, type Operation } from '../../../operation/index.ts';
import { removeMovers } from '../../../volumes/index.ts';
import type { BackupFolder } from '../files/folder.ts';
import type { ControlDeps } from '../../ports.ts';
import { BackupVolumes } from './backup-volumes.ts';
import type { VolumeContext } from './volume-context.ts';
import { isVerified, nativePluginOf } from './volume-wishes.ts';

interface Options {
  operation: Operation;
  deps: ControlDeps;
  findings: Findings;
  folder: BackupFolder;
  spec: BackupSpec;
}

/** For removing snapshots, by a mover of its own for each repository. */
const DISCARD_MS = 120_000;
/** Ends the copies of volumes that nobody needs any more. */
const FAILED = new AppError('canceled', 'the backup has failed');

/** The volumes of one attempt at a backup: they are copied while it archives, and discarded when it is not kept. */
export class VolumesOfAttempt {
  readonly #options: Options;
  #volumes: BackupVolumes | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Does the work beside which they are copied; when this returns or throws, nothing is copied any more. */
  async beside<T>(signal: AbortSignal, work: (copying: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    try {
      return await work(AbortSignal.any([signal, over.signal]));
    } finally {
      // Without an effect when all has ended well.
      over.abort(FAILED);
      await this.#volumes?.settled();
    }
  }

  /** `spec` has all defaults filled in. */
  async open(spec: BackupSpec, policies: ResourcePolicies | undefined, signal: AbortSignal): Promise<BackupVolumes> {
    const { deps, operation } = this.#options;
    const nativePlugin = await nativePluginOf(spec, deps, operation.api(signal), signal);
    const volumes = this.#create({ spec, policies, nativePlugin, signal });
    await volumes.open();
    this.#volumes = volumes;
    return volumes;
  }

  /** Snapshots must not outlive a backup that is not kept. */
  async discard(): Promise<void> {
    const { operation, deps } = this.#options;
    const { attempt, object, lasting, log } = operation;
    try {
      const signal = AbortSignal.any([lasting, AbortSignal.timeout(DISCARD_MS)]);
      // Those of an earlier process may still run.
      if (attempt > 1) await removeMovers(object.metadata.uid ?? '', deps, signal);
      const volumes = this.#volumes ?? (await this.#left(signal));
      await volumes?.discard(signal);
    } catch (error) {
      log.warn('what was copied of volumes could not be removed', { err: messageOf(error) });
    }
  }

  /** Those of an earlier attempt, when this one was stopped before it came to volumes. */
  async #left(signal: AbortSignal): Promise<BackupVolumes | undefined> {
    const { operation, folder, spec } = this.#options;
    if (operation.attempt <= 1 || !folder.isOurs) return undefined;
    const volumes = this.#create({ spec, policies: undefined, nativePlugin: undefined, signal });
    await volumes.open();
    return volumes;
  }

  #create(what: Pick<VolumeContext, 'spec' | 'policies' | 'nativePlugin' | 'signal'>): BackupVolumes {
    const { operation, deps, findings, folder } = this.#options;
    return new BackupVolumes({
      ...{ operation, deps, findings, ...what },
      location: folder.moverLocation(),
      isVerified: isVerified(operation.object),
      // Another process goes on with what this one leaves, unless the backup itself has ended.
      isCanceled: (copying) => deps.mayWrite() && (copying.reason === FAILED || stopOf(copying) !== undefined),
    });
  }
}
