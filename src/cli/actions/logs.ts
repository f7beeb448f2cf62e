import { AppError, isAppError } from '../../base/index.ts';
import type { StoredFiles } from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { ServerFlags } from '../flags/connection.ts';
import type { Kind } from '../objects/kinds.ts';
import { findNamed } from './find-objects.ts';
import { findServer, pathOf, type Served } from './find-server.ts';
import { operationOf } from './get.ts';
import type { Scope } from './open-cluster.ts';
import { storedLines } from './stored-file.ts';

export interface LogsFlags extends ServerFlags {
  follow: boolean;
}

/** The log as it is written while the operation runs; afterwards the one in the location. */
export async function printLogs(
  scope: Scope,
  kinds: readonly Kind[],
  { name, flags }: { name: string; flags: LogsFlags },
): Promise<void> {
  const found = await findNamed(scope, kinds, name);
  const operation = operationOf(scope, found);
  const files = found.kind.adapter?.files;
  if (operation === undefined || files === undefined) {
    throw new AppError('invalid', `a ${found.kind.type.kind} leaves no log that Headway could read`);
  }
  const logged = {
    noun: found.kind.noun,
    kind: found.kind.type.kind,
    name: found.object.metadata.name,
    hasEnded: isTerminal(operation.report.state),
    files,
  };
  for await (const line of await linesOf(scope, logged, flags)) scope.deps.output.text(`${line}\n`);
}

interface Logged {
  noun: string;
  kind: string;
  name: string;
  hasEnded: boolean;
  files: StoredFiles;
}

async function linesOf(scope: Scope, logged: Logged, flags: LogsFlags): Promise<AsyncIterable<string>> {
  const served = await servedOrStored(scope, logged, flags);
  if (served === undefined) {
    if (!logged.hasEnded) throw stillRuns(scope, logged);
    return storedLines(scope, { kind: logged.files.log, name: logged.name });
  }
  const { server, cluster } = served;
  const { kind, name } = logged;
  const path = pathOf('operations', { cluster, namespace: scope.namespace, kind, name }, '/log');
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

function stillRuns({ deps }: Scope, { noun, name }: Logged): AppError {
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
