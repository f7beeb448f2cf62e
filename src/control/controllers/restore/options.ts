import type { ArchiveLimits } from '../../../edge/archive/index.ts';

export interface RestoreOptions {
  /** Restores that run in parallel; those into the same namespaces always wait for each other. Default 4. */
  concurrent?: number;
  /** Items of one restore that are sent in parallel. Default 50. */
  parallel?: number;
  /** Types in the order they are restored, as `a,b,-,z`; Velero's order if absent. */
  priorities?: string;
  /** How long to wait for a type to be served or a namespace to be gone. Default 10 min, as in Velero. */
  resourceTimeoutMs?: number;
  limits?: Partial<ArchiveLimits>;
}

export type RestoreSettings = Required<Omit<RestoreOptions, 'priorities'>> & Pick<RestoreOptions, 'priorities'>;

export function settingsOf(options: RestoreOptions): RestoreSettings {
  return {
    concurrent: 4,
    parallel: 50,
    resourceTimeoutMs: 10 * 60_000,
    limits: {},
    ...options,
  };
}
