import type { OperationDeps } from '../operation/index.ts';
import type { LocationStores } from './stores/index.ts';

export type { ControlMetrics } from '../operation/index.ts';

/** What every controller gets; one set for each cluster. */
export interface ControlDeps extends OperationDeps {
  /** Where the objects of velero.io are. */
  namespace: string;
  /** Where those of migration.openshift.io are. */
  migrationNamespace: string;
  stores: LocationStores;
  /** A directory for files that live as long as one operation; emptied at start. */
  spoolDir: string;
}
