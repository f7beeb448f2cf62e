import type { KubeClient } from '../../edge/kube/index.ts';
import type { EventRecorder, RuntimeDeps, RuntimeMetrics } from '../runtime/index.ts';
import type { OperationLogs } from '../operation/index.ts';
import type { LocationStores } from './stores/index.ts';

/** Where the controllers' own numbers go; the names are those of the metrics' table. */
export interface ControlMetrics extends RuntimeMetrics {
  add(name: string, labels: Readonly<Record<string, string>>, by?: number): void;
  set(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
}

/** What every controller gets; one set for each cluster. */
export interface ControlDeps extends RuntimeDeps {
  kube: KubeClient;
  metrics: ControlMetrics;
  events: Pick<EventRecorder, 'record'>;
  /** Where the objects of velero.io are. */
  namespace: string;
  stores: LocationStores;
  logs: OperationLogs;
  /** A directory for files that live as long as one operation; emptied at start. */
  spoolDir: string;
  /** Lasts as long as this process leads. What is written after it would overwrite the next leader's work. */
  term(): AbortSignal;
  /** Asked before every write of status. */
  mayWrite(): boolean;
}
