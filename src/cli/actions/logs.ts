import { AppError, isAppError } from '../../base/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { ServerFlags } from '../flags/connection.ts';
import { BACKUP, RESTORE } from '../objects/types.ts';
import { findServer, pathOf, type Served } from './find-server.ts';
import { operationOf } from './get.ts';
import { getNamed, type Scope } from './open-cluster.ts';
import { storedLines } from './stored-file.ts';

export interface LogsFlags extends ServerFlags {
  follow: boolean;
}

/** The log as it is written while the operation runs; afterwards the one in the location. */
export async function printLogs(
  scope: Scope,
  operation: { kind: 'Backup' | 'Restore'; name: string },
  flags: LogsFlags,
): Promise<void> {
  const { deps } = scope;
  const object = await getNamed(scope, operation.kind === 'Backup' ? BACKUP : RESTORE, operation.name);
  const hasEnded = isTerminal(operationOf(scope, object).report.state);
  for await (const line of await linesOf(scope, { ...operation, hasEnded }, flags)) deps.output.text(`${line}\n`);
}

interface Logged {
  kind: 'Backup' | 'Restore';
  name: string;
  hasEnded: boolean;
}

async function linesOf(scope: Scope, logged: Logged, flags: LogsFlags): Promise<AsyncIterable<string>> {
  const served = await servedOrStored(scope, logged, flags);
  if (served === undefined) {
    if (!logged.hasEnded) throw stillRuns(scope, logged);
    return storedLines(scope, { kind: logged.kind === 'Backup' ? 'BackupLog' : 'RestoreLog', name: logged.name });
  }
  const { server, cluster } = served;
  const path = pathOf('operations', { cluster, namespace: scope.namespace, ...logged }, '/log');
  return server.lines({ method: 'GET', path, cluster, query: { follow: flags.follow ? '1' : undefined } });
}

/** Undefined where the location is to be read instead. */
async function servedOrStored(scope: Scope, { hasEnded }: Logged, flags: LogsFlags): Promise<Served | undefined> {
  try {
    return await findServer(scope.deps, flags);
  } catch (error) {
    // One that was not named may be left over from yesterday; the location has the log as well.
    if (hasEnded && flags.server === undefined && isAppError(error, 'unreachable', 'timeout')) return undefined;
    throw error;
  }
}

function stillRuns({ deps }: Scope, { kind, name }: Logged): AppError {
  const noun = kind.toLowerCase();
  return new AppError(
    'unreachable',
    `${noun} "${name}" has not finished; until then only the Headway server can show its log`,
    {
      details: {
        hint:
          `Name the server with --server URL or $HEADWAY_SERVER.\n` +
          `See how far it is with: ${deps.programName} watch ${noun}/${name}`,
      },
    },
  );
}
