import type { AppError } from '../../../base/index.ts';
import type { Diagnosis } from '../../../core/progress/index.ts';

/** Whoever waits for a pod, such as an operation, and is told why. */
export interface Waiting {
  tell(cause: AppError): void;
  /** What the cluster says is in the way; undefined when it says nothing. */
  explain(why: (Diagnosis & { reason: string }) | undefined): void;
  end(): void;
}
