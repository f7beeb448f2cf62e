import type { Resource } from '../registry/index.ts';

/** Where in the API a request points. */
export interface Target {
  resource: Resource;
  /** Empty for cluster-scoped resources and for lists over all namespaces. */
  namespace: string;
  /** Empty for collections. */
  name: string;
}
