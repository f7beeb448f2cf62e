import type { ResourceType } from '../../api/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import type { Measure, Report } from '../progress/index.ts';
import type { OperationFacts } from './operation.ts';

/** What is specific to the objects of one kind; the rest is the same for all kinds and is read in one place. */
export interface Adapted {
  state: Report['state'];
  /** From upstream's fields, such as itemsRestored and totalItems. */
  items?: Measure;
  facts: OperationFacts;
  /** The operation that this one is part of, in the same namespace. */
  parent?: { kind: string; name: string };
}

/** Everything needed to show a kind as an operation. */
export interface Adapter {
  type: ResourceType;
  /** The verb for its items, as in `Restored 2 419 of 2 431 items`. */
  did: string;
  /** What a cancel leaves behind, as in `It stops where it is: …`. */
  afterCancel: string;
  adapt(object: KubeObject): Adapted;
}
