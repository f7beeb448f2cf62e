import { AppError, type Clock, type Log } from '../base/index.ts';
import { adapterFor, parseOperationId, type OperationTree, type TreeEntry } from '../core/operations/index.ts';
import type { KubeClient } from '../edge/kube/index.ts';
import type { Archives } from './backups/archives.ts';
import type { Listings } from './backups/listings.ts';
import type { StoredResults } from './backups/stored-results.ts';
import type { Caller, Callers, Login } from './auth/callers.ts';
import type { LoginLinks } from './auth/login-links.ts';
import type { Rights } from './auth/rights.ts';
import type { RightsBook } from './auth/rights-book.ts';
import type { SessionCookies } from './auth/session-cookies.ts';
import { loginTo } from './auth/sight.ts';
import type { UserClients } from './auth/user-clients.ts';
import type { DownloadLinks } from './download-links.ts';
import type { RateLimit } from './http/rate-limit.ts';
import type { EventHub } from './live/event-hub.ts';
import type { SampleHistory } from './live/sample-history.ts';
import type { StreamSeats } from './live/stream-seats.ts';
import type { Metrics } from './metrics.ts';
import { placeOf, type Places } from './places.ts';
import type { ClusterPort, ServerLimits } from './ports.ts';
import type { Turns, TurnTaker } from './turns.ts';

/** Everything that routes stand on. */
export interface Context {
  version: string;
  limits: Readonly<ServerLimits>;
  clusters: readonly ClusterPort[];
  clock: Clock;
  log: Log;
  audit: Log;
  metrics: Metrics;
  tree: OperationTree;
  places: Places;
  history: SampleHistory;
  hub: EventHub;
  archives: Archives;
  listings: Listings;
  results: StoredResults;
  callers: Callers;
  cookies: SessionCookies;
  rights: RightsBook;
  clients: UserClients;
  loginLinks: LoginLinks;
  /** By address. */
  wrongCodes: RateLimit;
  downloads: DownloadLinks;
  seats: StreamSeats;
  heavy: Turns;
  looks: Turns;
  prove: ((nonce: string) => string) | undefined;
}

/** A caller in one cluster, as that cluster knows them. */
export interface Acting {
  login: Login;
  cluster: ClusterPort;
  rights: Rights;
  /** The cluster with the caller's own rights. */
  kube: KubeClient;
}

export async function actingIn(context: Context, caller: Caller, cluster: string): Promise<Acting> {
  const login = loginTo(caller, cluster);
  return {
    login,
    cluster: login.cluster,
    rights: await context.rights.of(login),
    kube: context.clients.of(login),
  };
}

/** A person counts once, with whatever token and from wherever they ask. */
export function takerOf({ login, rights }: Acting): TurnTaker {
  return { who: `${login.cluster.name}/${rights.user.name}`, address: login.address };
}

/** The cluster that a request means: the one it names, else the only one the caller is logged in to. */
export function clusterMeant(caller: Caller, named: string | undefined): string {
  const [first, second] = caller.logins.keys();
  if (named !== undefined) return named;
  if (first !== undefined && second === undefined) return first;
  if (first === undefined) throw new AppError('unauthenticated', 'you are not logged in');
  throw new AppError('usage', 'you are logged in to several clusters: name one with ?cluster=');
}

/** An operation that the caller may see. What they may not is refused the same way, whether it is there or not. */
export async function operationFor(
  context: Context,
  caller: Caller,
  id: string,
): Promise<Acting & { entry: TreeEntry }> {
  const { cluster, kind, namespace } = parseOperationId(id);
  const adapter = adapterFor(kind);
  const { type } = adapter;
  const acting = await actingIn(context, caller, cluster);
  const served = placeOf(adapter, acting.cluster);
  if (served !== undefined && namespace !== served) {
    const where = `this server watches ${type.plural} in namespace ${served}, not ${namespace}`;
    throw new AppError('notFound', `find operation ${id}: ${where}`);
  }
  if (!acting.rights.maySee(type, namespace)) {
    const who = acting.rights.user.name;
    throw new AppError('forbidden', `see ${type.plural} in namespace ${namespace}: ${who} may not list and watch them`);
  }
  const entry = context.tree.get(id);
  if (entry === undefined) throw new AppError('notFound', `find operation ${id}: there is none`);
  return { ...acting, entry };
}

/** For everything that comes out of a location: contents, logs, results. */
export function mustMayDownload({ rights, cluster }: Acting): void {
  if (rights.mayDownload) return;
  const where = `namespace ${cluster.namespace}`;
  throw new AppError(
    'forbidden',
    `read files of backups: ${rights.user.name} may not create downloadrequests in ${where}`,
  );
}
