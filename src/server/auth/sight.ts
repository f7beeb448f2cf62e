import { createHash } from 'node:crypto';
import { AppError, isAppError } from '../../base/index.ts';
import { adapterFor, ADAPTERS, type MaySee } from '../../core/operations/index.ts';
import type { Caller, Login } from './callers.ts';
import type { Rights } from './rights.ts';
import type { RightsBook } from './rights-book.ts';

/** What a caller may see, over all clusters they are logged in to. */
export interface Sight {
  rights: ReadonlyMap<string, Rights>;
  /** Who it is, as the clusters know them: the same with another token of the same user. */
  who: string;
  maySee: MaySee;
  /** Equal for callers who may see the same. */
  fingerprint: string;
}

const HINT = { details: { hint: 'Log in with a token of the cluster, or with the link that the server printed' } };

export function loginTo(caller: Caller, cluster: string): Login {
  const login = caller.logins.get(cluster);
  if (login !== undefined) return login;
  throw new AppError('unauthenticated', `use cluster ${JSON.stringify(cluster)}: you are not logged in to it`, HINT);
}

/** Fails when no cluster takes the caller; one of several that does not is only not seen. */
export async function sightOf(caller: Caller, book: RightsBook): Promise<Sight> {
  if (caller.logins.size === 0) throw new AppError('unauthenticated', 'you are not logged in', HINT);
  const asked = await Promise.allSettled(
    [...caller.logins].map(async ([cluster, login]) => [cluster, await book.of(login)] as const),
  );
  const rights = new Map(asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])));
  if (rights.size === 0) throw strongest(asked);
  return {
    rights,
    who: JSON.stringify([...rights].map(([cluster, { user }]) => [cluster, user.name]).toSorted()),
    maySee: ({ cluster, ref }) => rights.get(cluster)?.maySee(adapterFor(ref.kind).type, ref.namespace ?? '') === true,
    fingerprint: fingerprintOf(rights),
  };
}

/** The same for lists and streams of operations, where seeing nothing at all is a right that is missing, not an empty list. */
export async function operationSight(caller: Caller, book: RightsBook): Promise<Sight> {
  const sight = await sightOf(caller, book);
  if ([...sight.rights.values()].some(({ seesOperations }) => seesOperations)) return sight;
  const who = [...sight.rights.values()].map(({ user }) => user.name).join(', ');
  const kinds = ADAPTERS.map(({ type }) => type.plural).join(' or ');
  throw new AppError('forbidden', `see operations: ${who} may not list and watch ${kinds}`, {
    details: { hint: 'Ask whoever runs the cluster for a role that may' },
  });
}

function fingerprintOf(rights: ReadonlyMap<string, Rights>): string {
  const parts = [...rights].map(([cluster, { fingerprint }]) => [cluster, fingerprint]);
  return createHash('sha256').update(JSON.stringify(parts.toSorted())).digest('base64url');
}

/** That nobody takes the caller is said only when it is so: a cluster that is away may still do. */
function strongest(asked: readonly PromiseSettledResult<unknown>[]): unknown {
  const errors: unknown[] = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  return errors.find((error) => !isAppError(error, 'unauthenticated')) ?? errors[0];
}
