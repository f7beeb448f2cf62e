import type { BackupSpec } from '../../../../api/index.ts';
import type { ResourcePolicies } from '../../../../core/selection/index.ts';
import type { Findings, Operation } from '../../../operation/index.ts';
import type { MoverLocation } from '../../../volumes/index.ts';
import type { ControlDeps } from '../../ports.ts';

/** What the copies of one attempt at a backup have in common. */
export interface VolumeContext {
  operation: Operation;
  deps: ControlDeps;
  findings: Findings;
  spec: BackupSpec;
  policies: ResourcePolicies | undefined;
  /** The native plugin of the backup's snapshot location. */
  nativePlugin: string | undefined;
  location: MoverLocation;
  isVerified: boolean;
  /** Ends all copies. */
  signal: AbortSignal;
  /** Whether the aborted signal means that nobody wants them. */
  isCanceled: (signal: AbortSignal) => boolean;
  /** Numbers have changed. */
  onProgress: () => void;
}
