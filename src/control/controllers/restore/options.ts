import type { ArchiveLimits } from '../../../edge/archive/index.ts';

export interface RestoreOptions {
  /** Restores at the same time; those that go into the same namespaces wait for each other anyhow. Default 4. */
  concurrent?: number;
  /** Items of one restore that are sent at the same time. Default 50. */
  parallel?: number;
  /** Types in the order they are restored, as `a,b,-,z`; Velero's order if absent. */
  priorities?: string;
  /** How long to wait for a type to be served or a namespace to be gone. Default 10 min, as Velero. */
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
