import type { Restore } from '../../api/index.ts';
import { mapNamespace } from './namespace-mapping.ts';
import { isGlob, nameFilter } from '../selection/index.ts';

type RestoreSpec = Restore['spec'];

/** A restore that has not ended. */
export interface PendingRestore {
  name: string;
  /** RFC 3339. */
  createdAt: string;
  isRunning: boolean;
  spec: RestoreSpec;
  /** That its backup has something of; undefined when nobody knows. */
  namespaces?: readonly string[] | undefined;
}

/**
 * Why a restore may not start yet; undefined if it may. First come, first served, except that a restore need not wait
 * for earlier ones with which it shares no namespace.
 */
export function reasonToWait(
  restore: PendingRestore,
  others: readonly PendingRestore[],
  concurrent: number,
): string | undefined {
  const ahead = others.filter((other) => other.name !== restore.name && (other.isRunning || isEarlier(other, restore)));
  const own = targetsOf(restore);
  for (const other of ahead) {
    const targets = targetsOf(other);
    if (own === undefined || targets === undefined) {
      return `restore ${other.name} is ahead and may go into the same namespaces`;
    }
    const [shared, ...more] = own.intersection(targets);
    if (shared === undefined) continue;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    return `restore ${other.name} is ahead and goes into the same namespace, ${shared}${others}`;
  }
  const running = others.filter(({ isRunning, name }) => isRunning && name !== restore.name).length;
  return running >= concurrent ? `${running} restores are running` : undefined;
}

function isEarlier(a: PendingRestore, b: PendingRestore): boolean {
  if (a.createdAt !== b.createdAt) return Date.parse(a.createdAt) < Date.parse(b.createdAt);
  return a.name < b.name;
}

/** True when the spec says by itself which namespaces are restored; else the backup has to be asked. */
export function namesItsNamespaces({ includedNamespaces }: RestoreSpec): boolean {
  const included = includedNamespaces ?? [];
  return included.length > 0 && !included.some(isGlob);
}

/** The namespaces a restore goes into; undefined when only the archive knows. */
function targetsOf({ spec, namespaces }: PendingRestore): ReadonlySet<string> | undefined {
  const { includedNamespaces, excludedNamespaces, namespaceMapping } = spec;
  const sources = namesItsNamespaces(spec) ? (includedNamespaces ?? []) : namespaces;
  if (sources === undefined) return undefined;
  const chosen = nameFilter(includedNamespaces, excludedNamespaces);
  return new Set(sources.filter((name) => chosen.includes(name)).map((name) => mapNamespace(name, namespaceMapping)));
}
