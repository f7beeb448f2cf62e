import type { ObjectRef } from '../../base/index.ts';

/** From kinds such as `apps/v1/Deployment` to sorted `namespace/name`. */
export type ResourceList = Record<string, string[]>;

export function resourceList(
  items: Iterable<Pick<ObjectRef, 'apiVersion' | 'kind' | 'namespace' | 'name'>>,
): ResourceList {
  const byKind = Map.groupBy(items, ({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  const nameOf = ({ namespace, name }: Pick<ObjectRef, 'namespace' | 'name'>): string =>
    namespace === undefined ? name : `${namespace}/${name}`;
  const sorted = [...byKind].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([kind, all]) => [kind, all.map(nameOf).toSorted()]));
}

/** Messages of an operation; empty lists are left out. */
export interface ResultMessages {
  velero?: string[];
  cluster?: string[];
  namespaces?: Record<string, string[]>;
}

export interface Results {
  errors: ResultMessages;
  warnings: ResultMessages;
}

export interface ResultMessage {
  level: keyof Results;
  /** What it is about: the operation as a whole, cluster-scoped items, or a namespace. */
  about: 'operation' | 'cluster' | { namespace: string };
  text: string;
}

export function resultsOf(messages: Iterable<ResultMessage>): Results {
  const results: Results = { errors: {}, warnings: {} };
  for (const { level, about, text } of messages) {
    const target = results[level];
    if (about === 'operation') (target.velero ??= []).push(text);
    else if (about === 'cluster') (target.cluster ??= []).push(text);
    else ((target.namespaces ??= {})[about.namespace] ??= []).push(text);
  }
  return results;
}
