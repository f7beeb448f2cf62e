import type { Backup, Restore } from '../../../api/index.ts';
import type { Log } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { Store } from '../../../edge/store/index.ts';
import type { Findings, Operation, OperationRun, PatientCalls } from '../../operation/index.ts';
import type { MoverLocation } from '../../volumes/index.ts';
import type { ControlDeps } from '../ports.ts';
import type { RestoreSettings } from './options.ts';
import type { RestoreStatus } from './restore-status.ts';

export interface ReadDeps extends Pick<ControlDeps, 'kube' | 'clock' | 'random' | 'log' | 'namespace' | 'spoolDir'> {
  stores: Pick<ControlDeps['stores'], 'open'>;
}

/** Shared by the steps that only read: a dry run uses them too. */
export interface ReadContext {
  readonly restore: Restore;
  readonly deps: ReadDeps;
  readonly settings: RestoreSettings;
  readonly run: Pick<OperationRun, 'feed' | 'wait' | 'setCondition'>;
  readonly log: Log;
  readonly findings: Findings;
  readonly api: PatientCalls;
  readonly patient: (store: Store) => Store;
  /** Aborted by a cancel, by the deletion of the object, and when this process stops leading. */
  readonly signal: AbortSignal;
}

/** What the steps of one running restore share. */
export interface RestoreContext extends ReadContext {
  readonly deps: ControlDeps;
  readonly run: OperationRun;
  readonly operation: Operation;
  /** As it was when the attempt began. */
  readonly object: KubeObject;
  /** For requests that change something: they may finish after a stop, so that the counts are correct. */
  readonly changes: AbortSignal;
  readonly status: RestoreStatus;
}

/** What a restore reads from. */
export interface BackupSource extends Disposable {
  readonly backup: Backup;
  /** Waits while the store is unreachable. */
  readonly store: Store;
  /** For movers, which bring the data of volumes. */
  readonly location: MoverLocation;
}
