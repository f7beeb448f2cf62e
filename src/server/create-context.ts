import type { OperationTree, UnseenCluster } from '../core/operations/index.ts';
import { Callers } from './auth/callers.ts';
import { EndedSessions } from './auth/ended-sessions.ts';
import { LoginLinks } from './auth/login-links.ts';
import { RightsBook } from './auth/rights-book.ts';
import { SESSION_MS, SessionCookies } from './auth/session-cookies.ts';
import { UserClients } from './auth/user-clients.ts';
import { Archives } from './backups/archives.ts';
import { Listings } from './backups/listings.ts';
import { StoredResults } from './backups/stored-results.ts';
import type { Context } from './context.ts';
import { DownloadLinks } from './download-links.ts';
import type { LimitLog } from './http/limit-log.ts';
import { RateLimit } from './http/rate-limit.ts';
import { EventHub } from './live/event-hub.ts';
import type { SampleHistory } from './live/sample-history.ts';
import { StreamSeats } from './live/stream-seats.ts';
import type { Places } from './places.ts';
import type { ClusterPort, ServerLimits, ServerOptions, ServerPorts } from './ports.ts';
import { Turns } from './turns.ts';

interface Parts {
  limits: ServerLimits;
  told: LimitLog;
  tree: OperationTree;
  places: Places;
  history: SampleHistory;
}

/** Puts together what routes stand on. */
export function createContext(
  options: ServerOptions,
  { clusters, clock, log, audit, metrics, onLinkUsed }: ServerPorts,
  { limits, told, tree, places, history }: Parts,
): Context {
  const ended = new EndedSessions({ file: options.endedSessionsFile, clock, lifetimeMs: SESSION_MS });
  const cookies = new SessionCookies(options.key, { clock, isTls: options.tls !== undefined, ended });
  const clients = new UserClients();
  const guesses = (what: string): RateLimit => {
    const { guessesPerMinute: perMinute } = limits;
    return new RateLimit({ perSecond: perMinute / 60, burst: perMinute, what }, clock, told);
  };
  const turns = (what: string, of: 'reviews' | 'heavy' | 'looks'): Turns =>
    new Turns(what, limits[of], { clock, told });
  return {
    version: options.version,
    limits,
    clusters,
    clock,
    log,
    audit,
    metrics,
    tree,
    places,
    history,
    hub: new EventHub(tree, limits, { clock, metrics, unseen: (now) => unseenAt(clusters, now) }),
    archives: new Archives({ spoolDir: options.spoolDir, maxBytes: limits.archiveBytes }),
    listings: new Listings({ spoolDir: options.spoolDir, clock }),
    results: new StoredResults(),
    callers: new Callers(clusters, cookies),
    cookies,
    rights: new RightsBook(clients, {
      clock,
      maxAgeMs: limits.rightsMs,
      refusedMs: limits.refusedMs,
      guesses: guesses('log-ins with unknown tokens'),
      reviews: turns('check who you are', 'reviews'),
      places,
    }),
    clients,
    loginLinks: new LoginLinks(onLinkUsed),
    wrongCodes: guesses('log-ins with wrong links'),
    downloads: new DownloadLinks(options.key, clusters, clock),
    seats: new StreamSeats(limits, told),
    heavy: turns('plan, verify or compare', 'heavy'),
    looks: turns('look into a backup', 'looks'),
    prove: options.prove,
  };
}

/** A connection that breaks and comes back within this is nothing to tell anybody of. */
const UNSEEN_MS = 2000;

function unseenAt(clusters: readonly ClusterPort[], now: number): UnseenCluster[] {
  return clusters.flatMap((cluster) => {
    const since = cluster.unseenSince();
    if (since === undefined || now - since < UNSEEN_MS) return [];
    return [{ cluster: cluster.name, since: new Date(since).toISOString() }];
  });
}
