import type { ControlMetrics, OperationDeps } from '../../operation/index.ts';
import type { PodRunner } from '../../pods/index.ts';
import type { ObjectCache } from '../../runtime/index.ts';
import type { FunctionFactory } from '../functions/function.ts';

/** What the engine needs from outside. */
export interface ActionDeps extends OperationDeps {
  metrics: ControlMetrics;
  /** ActionSets as they are in the cluster, to see that one was edited. */
  actionSets: ObjectCache;
  /** Of this term. */
  runner(): PodRunner;
  /** What runs each function, by its name. */
  functions: Readonly<Record<string, FunctionFactory>>;
}
