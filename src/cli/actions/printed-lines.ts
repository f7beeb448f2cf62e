import { messageOf, readLogfmt } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { ServerFlags } from '../flags/connection.ts';
import { findServer, pathOf } from './find-server.ts';
import type { Scope } from './open-cluster.ts';

export interface PrintedRequest {
  flags: ServerFlags & { follow?: boolean };
  /** Asked for each line. */
  wants: (phase: string) => boolean;
  signal: AbortSignal;
}

/**
 * What only the server has of a set's log, as `phase: line`: while it runs, what commands inside of other pods print;
 * afterwards the last lines of all. Returns how many, or why there are none.
 */
export async function printServerLines(
  scope: Scope,
  { metadata, kind }: KubeObject,
  { flags, wants, signal }: PrintedRequest,
): Promise<{ lines: number; problem?: string }> {
  const { deps } = scope;
  let lines = 0;
  try {
    const served = await findServer(deps, flags);
    if (served === undefined) return { lines, problem: 'no Headway server is known here (--server URL)' };
    const { server, cluster } = served;
    const { namespace = '', name } = metadata;
    const path = pathOf('operations', { cluster, namespace, kind, name }, '/log');
    const query = { only: 'printed', follow: flags.follow === false ? undefined : '1' };
    for await (const text of server.lines({ method: 'GET', path, cluster, query }, signal)) {
      const { message, fields } = readLogfmt(text) ?? {};
      const phase = fields?.['phase'];
      if (message === undefined || phase === undefined || !wants(phase)) continue;
      lines += 1;
      deps.output.line(`${phase}: ${message}`);
    }
    return { lines };
  } catch (error) {
    if (signal.aborted) return { lines };
    return { lines, problem: messageOf(error) };
  }
}
