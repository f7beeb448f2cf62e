import { AppError } from '../../base/index.ts';
import { formatOperationId, type SessionAnswer } from '../../core/operations/index.ts';
import { clusterOf, type ServerFlags } from '../flags/connection.ts';
import type { CliDeps, ServerApi, ServerRequest } from '../ports.ts';

/** A server, and our cluster as it is known there. */
export interface Served {
  server: ServerApi;
  cluster: string;
}

/** Undefined when none is known, or the one on this machine serves other clusters. */
export async function findServer(deps: CliDeps, flags: ServerFlags): Promise<Served | undefined> {
  const found = await lookForServer(deps, flags);
  return 'cluster' in found ? found : undefined;
}

/** For what only the server can do; `what` begins the sentence. */
export async function needServer(deps: CliDeps, flags: ServerFlags, what: string): Promise<Served> {
  const found = await lookForServer(deps, flags);
  if ('cluster' in found) return found;
  throw new AppError('unreachable', `${what} needs the Headway server, but ${found.missing}`, {
    details: {
      hint:
        `Start one with: ${deps.programName} server (or ${deps.programName} up, with a cluster of its own)\n` +
        'Or name one: --server https://headway.example.org, or $HEADWAY_SERVER',
    },
  });
}

async function lookForServer(deps: CliDeps, flags: ServerFlags): Promise<Served | { missing: string }> {
  const named = flags.server === undefined ? {} : { server: flags.server };
  const server = await deps.server({ ...clusterOf(flags), ...named });
  if (server === undefined) return { missing: 'none is running on this machine' };
  // Asked without a token: it goes only to the cluster that it is for.
  const { clusters } = (await server.ask({ method: 'GET', path: '/api/session' })) as SessionAnswer;
  const names = clusters.map(({ name }) => name);
  const [first, ...others] = names;
  if (server.context !== undefined && names.includes(server.context)) return { server, cluster: server.context };
  // Whoever names a server with one cluster means that one, whatever the context is called here.
  if (server.isNamed && first !== undefined && others.length === 0) return { server, cluster: first };
  const context = server.context === undefined ? 'this cluster' : `context "${server.context}"`;
  const missing = `the one at ${server.url} serves ${names.join(', ') || 'nothing'}, not ${context}`;
  if (!server.isNamed) return { missing };
  throw new AppError('notFound', `cannot choose a cluster: ${missing}`, {
    details: { hint: 'Choose one with: --context NAME' },
  });
}

/** Asks as the user of the kubeconfig, about the cluster of the kubeconfig. */
export async function askServer({ server, cluster }: Served, request: ServerRequest): Promise<unknown> {
  return await server.ask({ ...request, cluster });
}

/** The path of one operation below the server's address. */
export function pathOf(
  at: 'operations' | 'backups',
  operation: { cluster: string; kind: string; namespace: string; name: string },
  rest = '',
): string {
  return `/api/${at}/${encodeURIComponent(formatOperationId(operation))}${rest}`;
}
