import type { Backup, Restore } from '../../../api/index.ts';
import type { Log } from '../../../base/index.ts';
import type { RestoreMessages } from '../../../core/restore/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { Store } from '../../../edge/store/index.ts';
import type { ApiPatience, OperationRun } from '../../operation/index.ts';
import type { ControlDeps } from '../ports.ts';
import type { RestoreSettings } from './options.ts';
import type { RestoreStatus } from './restore-status.ts';

/** What those steps share that only read: a dry run takes them too. */
export interface Reading {
  readonly restore: Restore;
  readonly deps: ReadingDeps;
  readonly settings: RestoreSettings;
  readonly run: Pick<OperationRun, 'feed' | 'waiting' | 'resumed' | 'setCondition'>;
  readonly log: Log;
  readonly messages: RestoreMessages;
  readonly api: ApiPatience;
  /** Aborted by a cancel, by the deletion of the object, and when this process stops leading. */
  readonly signal: AbortSignal;
}

export interface ReadingDeps extends Pick<ControlDeps, 'kube' | 'clock' | 'random' | 'log' | 'namespace' | 'spoolDir'> {
  stores: Pick<ControlDeps['stores'], 'open'>;
}

/** What the steps of one running restore share. */
export interface Session extends Reading {
  /** As it was read when the work began. */
  readonly object: KubeObject;
  /** For requests that change something: after a cancel they may still end, so that the counts tell what was done. */
  readonly changes: AbortSignal;
  readonly status: RestoreStatus;
}

/** What a restore reads from. */
export interface BackupSource {
  readonly backup: Backup;
  /** Waits while the store is away. */
  readonly store: Store;
}
