import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';

/** A part with some of its own parts. */
export interface PartNode {
  part: Operation;
  below: PartNode[];
  /** How many more of its parts are known than are shown. */
  more: number;
}

/** How many are shown below one, level by level: a backup may have thousands of volumes. */
const WIDTHS = [12, 4, 2] as const;

/** The parts nearest to the operation first, each with its own below it; the order among equals is the server's. */
export function partTree({ id, parts }: Pick<OperationDetail, 'id' | 'parts'>): { nodes: PartNode[]; more: number } {
  const byParent = Map.groupBy(parts, ({ parent }) => parent ?? '');
  const nodesOf = (parent: string, level: number): { nodes: PartNode[]; more: number } => {
    const all = byParent.get(parent) ?? [];
    const shown = all.slice(0, WIDTHS[level] ?? 0);
    const nodes = shown.map((part) => {
      const { nodes: below, more } = nodesOf(part.id, level + 1);
      return { part, below, more };
    });
    return { nodes, more: all.length - shown.length };
  };
  return nodesOf(id, 0);
}
