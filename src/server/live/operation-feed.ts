import type { Clock } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import { ADAPTERS, OperationTree, type Adapter, type Operation } from '../../core/operations/index.ts';
import type { Metrics } from '../metrics.ts';
import { Places } from '../places.ts';
import { SampleHistory } from './sample-history.ts';
import { operationIdOf } from './operation-key.ts';
import type { ClusterPort, ObjectChange } from '../ports.ts';

interface Deps {
  clusters: readonly ClusterPort[];
  clock: Clock;
  metrics: Metrics;
}

/** Keeps one tree of the operations of all clusters equal to what is watched of them. */
export class OperationFeed {
  readonly tree: OperationTree = new OperationTree();
  readonly history: SampleHistory = new SampleHistory();
  readonly places: Places = new Places();
  readonly #deps: Deps;
  readonly #listeners = new Set<() => void>();
  #leave: (() => void)[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    for (const cluster of this.#deps.clusters) {
      for (const adapter of ADAPTERS) {
        const source = cluster.source(adapter.type);
        if (source === undefined) continue;
        this.#leave.push(
          source.subscribe((change) => {
            this.#take(cluster.name, adapter, change);
          }),
        );
      }
    }
  }

  stop(): void {
    for (const leave of this.#leave) leave();
    this.#leave = [];
  }

  /** Told of every change, without its content: whoever listens reads the tree when it suits. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #take(cluster: string, adapter: Adapter, { type, object }: ObjectChange): void {
    const id = operationIdOf(cluster, adapter, object);
    const before = this.tree.get(id)?.operation;
    const { namespace = '' } = object.metadata;
    const isAnywhere = adapter.scope === 'all';
    if (type === 'deleted') {
      this.tree.delete(id);
      this.history.forget(id);
      if (isAnywhere && before !== undefined) this.places.remove(cluster, namespace);
    } else {
      this.#put(cluster, adapter, object, before);
      if (isAnywhere && before === undefined) this.places.add(cluster, namespace);
    }
    for (const listener of this.#listeners) listener();
  }

  #put(cluster: string, adapter: Adapter, object: ObjectChange['object'], before: Operation | undefined): void {
    const now = this.#deps.clock.now();
    const { operation } = this.tree.put(adapter, object, { cluster, now });
    this.history.see(operation, now);
    // Only ends that were seen to come: the ended ones of a restart would be counted again.
    const hasEnded = before !== undefined && !isTerminal(before.report.state) && isTerminal(operation.report.state);
    if (hasEnded) this.#tellEnd(adapter, operation);
  }

  #tellEnd({ metrics: own }: Adapter, operation: Operation): void {
    const { cluster, ref, report, seconds } = operation;
    const { metrics } = this.#deps;
    const counted = own?.ended?.(operation);
    if (counted !== undefined) metrics.add(counted.name, counted.labels);
    if (seconds === undefined) return;
    const labels = { cluster, kind: ref.kind, state: report.state };
    metrics.observe('headway_operation_duration_seconds', labels, seconds);
  }
}
