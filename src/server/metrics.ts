import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isTerminal } from '../core/progress/index.ts';
import {
  atMoment,
  METRICS,
  type Adapter,
  type MetricFacts,
  type MetricName,
  type Operation,
  type OperationTree,
} from '../core/operations/index.ts';

export type Labels = Readonly<Record<string, string>>;
type Instrument = Counter | Gauge | Histogram;

/** What the controllers of one cluster tell. */
export interface ClusterMetrics {
  add(name: string, labels: Labels, by?: number): void;
  set(name: string, labels: Labels, value: number): void;
  observe(name: string, labels: Labels, value: number): void;
  reconciled(controller: string, outcome: string, durationMs: number): void;
  queueDepth(controller: string, depth: number): void;
}

/** Where numbers go, from the controllers and from the server itself; METRICS says what there is. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #instruments: ReadonlyMap<string, Instrument>;

  constructor() {
    const registers = [this.#registry];
    const all = Object.entries<MetricFacts>(METRICS).map(
      ([name, facts]) => [name, instrument(name, facts, registers)] as const,
    );
    this.#instruments = new Map(all);
  }

  add(name: string, labels: Labels, by = 1): void {
    const found = this.#instruments.get(name);
    if (found instanceof Counter || found instanceof Gauge) found.inc(known(name, labels), by);
  }

  set(name: string, labels: Labels, value: number): void {
    const found = this.#instruments.get(name);
    if (found instanceof Gauge) found.set(known(name, labels), value);
  }

  observe(name: string, labels: Labels, value: number): void {
    const found = this.#instruments.get(name);
    if (found instanceof Histogram) found.observe(known(name, labels), value);
  }

  forCluster(cluster: string): ClusterMetrics {
    const marked = (labels: Labels): Labels => ({ ...labels, cluster });
    return {
      add: (name, labels, by) => {
        this.add(name, marked(labels), by);
      },
      set: (name, labels, value) => {
        this.set(name, marked(labels), value);
      },
      observe: (name, labels, value) => {
        this.observe(name, marked(labels), value);
      },
      reconciled: (controller, outcome, durationMs) => {
        this.observe('headway_reconcile_seconds', { cluster, controller, outcome }, durationMs / 1000);
      },
      queueDepth: (controller, depth) => {
        this.set('headway_queue_depth', { cluster, controller }, depth);
      },
    };
  }

  /** The text of `/metrics`, with the operations as they are now. */
  async render(tree: OperationTree, now: number): Promise<string> {
    this.#showOperations(tree, now);
    return await this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #showOperations(tree: OperationTree, now: number): void {
    for (const name of LIVE) (this.#instruments.get(name) as Gauge).reset();
    for (const { adapter, operation } of tree.entries()) this.#showOperation(adapter, atMoment(operation, now));
  }

  #showOperation(adapter: Adapter, operation: Operation): void {
    const { cluster, ref, report } = operation;
    const { kind, namespace = '', name } = ref;
    this.add('headway_operations', { cluster, kind, state: report.state });
    const own = adapter.metrics?.now?.(operation);
    if (own !== undefined) this.add(own.name, own.labels);
    if (isTerminal(report.state) || report.state === 'pending') return;
    const labels = { cluster, kind, namespace, name };
    const isStalled = report.stalled !== undefined;
    this.set('headway_operation_stalled', labels, isStalled ? 1 : 0);
    if (isStalled) this.add('headway_operations_stalled', { cluster, kind });
    if (report.percent !== undefined) this.set('headway_operation_progress_ratio', labels, report.percent / 100);
    if (report.ratePerSecond !== undefined) this.set('headway_operation_rate', labels, report.ratePerSecond);
    if (report.etaSeconds !== undefined) this.set('headway_operation_eta_seconds', labels, report.etaSeconds);
  }
}

/** Made anew from the tree at each look: an operation that has ended must not stay. */
const LIVE: readonly MetricName[] = [
  'velero_backup_total',
  'velero_restore_total',
  'cam_app_workload_migrations',
  'headway_operations',
  'headway_operations_stalled',
  'headway_operation_progress_ratio',
  'headway_operation_rate',
  'headway_operation_eta_seconds',
  'headway_operation_stalled',
];

/** prom-client throws for a label it was not told of; a number must not fail the work it is about. */
function known(name: string, labels: Labels): Record<string, string> {
  const { labels: names } = (METRICS as Readonly<Record<string, MetricFacts>>)[name] ?? { labels: [] };
  return Object.fromEntries(names.map((label) => [label, labels[label] ?? '']));
}

function instrument(name: string, { type, help, labels, buckets }: MetricFacts, registers: Registry[]): Instrument {
  const common = { name, help, labelNames: [...labels], registers };
  if (type === 'counter') return new Counter(common);
  return type === 'gauge' ? new Gauge(common) : new Histogram({ ...common, buckets: [...(buckets ?? [])] });
}
