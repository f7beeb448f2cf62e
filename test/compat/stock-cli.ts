import { join } from 'node:path';
import { programPath } from '../bed/cache.ts';
import { partNamed } from '../bed/parts.ts';

/** The suite as it was given to us: its goldens are not ours to change. */
export const SUITE = join(import.meta.dirname, '../fixtures/compat');
/** Cases of the same kind that we wrote; `record.ts` records their goldens. */
export const OWN_CASES = join(import.meta.dirname, 'cases');

/** For programs in Go that end after a moment: a fifth of their work would be to collect what they leave. */
export const SHORT_LIVED = { GOGC: 'off' } as const;

/** For the stock `velero` and `kubectl` of the bed. */
export function stockEnvironment(kubeconfig: string, home: string): Record<string, string> {
  return {
    KUBECONFIG: kubeconfig,
    KUBECTL: programPath(partNamed('kubectl')),
    VELERO: programPath(partNamed('velero')),
    HOME: home,
    // Times are printed in the zone of the machine.
    TZ: 'UTC',
    PATH: process.env['PATH'] ?? '',
    ...SHORT_LIVED,
  };
}
