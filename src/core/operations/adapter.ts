import type { ResourceType } from '../../api/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import type { Measure, Report } from '../progress/index.ts';
import type { OperationFacts } from './operation.ts';

/** What a kind says about one of its objects; the rest is the same for all kinds and is read in one place. */
export interface Adapted {
  state: Report['state'];
  /** From upstream's fields, such as itemsRestored and totalItems. */
  items?: Measure;
  facts: OperationFacts;
  /** The operation that this one is a part of, in the same namespace. */
  parent?: { kind: string; name: string };
}

/** Everything a kind needs to be shown as an operation. */
export interface Adapter {
  type: ResourceType;
  /** What it did to its items, as in `Restored 2 419 of 2 431 items`. */
  did: string;
  /** What a cancel leaves, as in `It stops where it is: …`. */
  afterCancel: string;
  adapt(object: KubeObject): Adapted;
}
