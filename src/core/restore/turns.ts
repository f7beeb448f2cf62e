import type { Restore } from '../../api/index.ts';
import { mapNamespace } from './namespace-mapping.ts';
import { isGlob } from '../selection/index.ts';

type RestoreSpec = Restore['spec'];

/** A restore that has not ended. */
export interface PendingRestore {
  name: string;
  /** RFC 3339. */
  createdAt: string;
  isRunning: boolean;
  spec: RestoreSpec;
}

/**
 * Why a restore may not start yet, or undefined. First come, first served, except that one which touches no namespace
 * of those before it need not wait for them.
 */
export function reasonToWait(
  restore: PendingRestore,
  others: readonly PendingRestore[],
  concurrent: number,
): string | undefined {
  const ahead = others.filter((other) => other.name !== restore.name && (other.isRunning || isEarlier(other, restore)));
  const obstacle = ahead.find((other) => overlap(targetsOf(other.spec), targetsOf(restore.spec)));
  if (obstacle !== undefined) return `restore ${obstacle.name} goes into the same namespaces and is ahead`;
  const running = others.filter(({ isRunning, name }) => isRunning && name !== restore.name).length;
  return running >= concurrent ? `${running} restores are running` : undefined;
}

function isEarlier(a: PendingRestore, b: PendingRestore): boolean {
  if (a.createdAt !== b.createdAt) return Date.parse(a.createdAt) < Date.parse(b.createdAt);
  return a.name < b.name;
}

/** The namespaces a restore goes into; undefined when only the archive knows. */
function targetsOf({ includedNamespaces, namespaceMapping }: RestoreSpec): Set<string> | undefined {
  const included = includedNamespaces ?? [];
  if (included.length === 0 || included.some(isGlob)) return undefined;
  return new Set(included.map((name) => mapNamespace(name, namespaceMapping)));
}

function overlap(a: Set<string> | undefined, b: Set<string> | undefined): boolean {
  return a === undefined || b === undefined || [...a].some((name) => b.has(name));
}
