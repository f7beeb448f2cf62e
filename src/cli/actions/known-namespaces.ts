import { NAMESPACE } from '../../api/meta/builtin-types.ts';
import { MIGRATION_NAMESPACE } from '../../api/migration/group.ts';
import { formatCount, isAppError } from '../../base/index.ts';
import type { Scope } from './open-cluster.ts';

/** Each is asked for each kind, so there is a limit; whoever has more names the one that is meant. */
const MAX_NAMESPACES = 200;

const ASKED = new WeakMap<Scope, Promise<readonly string[]>>();

/**
 * Where to look one by one, for those who may not list a kind in all namespaces at once: all that there are, or the
 * usual ones where not even these may be listed. They are asked for once in a command.
 */
export async function knownNamespaces(scope: Scope): Promise<readonly string[]> {
  const asked = ASKED.get(scope) ?? askNamespaces(scope);
  ASKED.set(scope, asked);
  return await asked;
}

async function askNamespaces({ kube, deps, home, namespace }: Scope): Promise<readonly string[]> {
  let names: string[] = [];
  try {
    for await (const page of kube.list({ type: NAMESPACE }, { signal: deps.signal })) {
      names = [...(page.restarted ? [] : names), ...Array.from(page.items, ({ metadata }) => metadata.name)];
      if (names.length > MAX_NAMESPACES) break;
    }
  } catch (error) {
    if (!isAppError(error, 'forbidden')) throw error;
  }
  const usual = [...(home === undefined ? [] : [home]), namespace, MIGRATION_NAMESPACE];
  const all = [...new Set([...usual, ...names])];
  if (all.length <= MAX_NAMESPACES) return all;
  deps.output.note(`▲ looked in ${formatCount(MAX_NAMESPACES)} namespaces only; name the one you mean with -n`);
  return all.slice(0, MAX_NAMESPACES);
}
