import type { ContentsAnswer } from '../../../src/core/operations/index.ts';

export interface Branch {
  /** Empty for what has no namespace. */
  namespace: string;
  count: number;
  resources: { resource: string; count: number }[];
}

/** By namespace, then by type, with counts; what belongs to no namespace comes first. */
export function treeOf(groups: ContentsAnswer['groups']): Branch[] {
  const branches = new Map<string, Branch>();
  for (const { namespace = '', resource, count } of groups) {
    const branch = branches.get(namespace) ?? { namespace, count: 0, resources: [] };
    branches.set(namespace, branch);
    branch.count += count;
    branch.resources.push({ resource, count });
  }
  return [...branches.values()].toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
}

export interface Choice {
  namespaces: ReadonlySet<string>;
  resources: ReadonlySet<string>;
  takesClusterScoped: boolean;
}

/** How many items a restore would begin with; nothing chosen means everything. */
export function countChosen(groups: ContentsAnswer['groups'], choice: Choice): number {
  const isIn = ({ namespace, resource }: ContentsAnswer['groups'][number]): boolean => {
    if (choice.resources.size > 0 && !choice.resources.has(resource)) return false;
    if (namespace === undefined) return choice.takesClusterScoped;
    return choice.namespaces.size === 0 || choice.namespaces.has(namespace);
  };
  return groups.filter(isIn).reduce((sum, { count }) => sum + count, 0);
}
