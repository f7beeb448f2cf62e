import { isAppError } from '../base/index.ts';
import type { ClusterInfo } from '../cli/index.ts';
import type { ConnectionChoice } from '../edge/kube/index.ts';
import { connect, type Machine } from './connect.ts';

const DEADLINE_MS = 10_000;

/** Undefined when nothing was asked for and nothing is configured; whatever is configured wrongly is an error. */
export async function clusterInfo(
  choice: ConnectionChoice,
  machine: Machine,
  signal: AbortSignal,
): Promise<ClusterInfo | undefined> {
  const asked =
    choice.kubeconfig !== undefined || choice.context !== undefined || (machine.env['KUBECONFIG'] ?? '') !== '';
  try {
    const { kube, connection } = await connect(choice, machine);
    try {
      const version = await kube.version({ signal, deadlineMs: DEADLINE_MS });
      return { context: connection.label, server: connection.server, version };
    } finally {
      await kube.close();
    }
  } catch (error) {
    if (!asked && isAppError(error, 'invalidConfig') && error.details?.['isMissing'] === true) return undefined;
    throw error;
  }
}
