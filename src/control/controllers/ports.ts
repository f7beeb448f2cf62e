import type { OperationDeps } from '../operation/index.ts';
import type { Movers } from '../volumes/index.ts';
import type { LocationStores } from './stores/index.ts';

export type { ControlMetrics } from '../operation/index.ts';

/** What every controller gets; one set per cluster. */
export interface ControlDeps extends OperationDeps {
  /** The namespace of the velero.io objects. */
  namespace: string;
  /** The namespace of the migration.openshift.io objects. */
  migrationNamespace: string;
  stores: LocationStores;
  /** Who copies volumes. */
  movers: Movers;
  /** A directory for files that live as long as one operation; emptied at start. */
  spoolDir: string;
}
