import { homedir } from 'node:os';
import { AppError, isAppError, NO_LOG } from '../base/index.ts';
import type { PocketStatus } from '../cli/index.ts';
import {
  createKubeClient,
  loadConnection,
  type Connection,
  type ConnectionChoice,
  type KubeClient,
} from '../edge/kube/index.ts';
import { PocketDirectory } from './pocket-directory.ts';
import { systemClock } from './system-clock.ts';
import { VERSION } from './version.ts';

/** Where a cluster is looked for, and how the user is told which one was found. */
export interface Machine {
  home: string;
  env: NodeJS.ProcessEnv;
  tell: (line: string) => void;
}

/** A client for the cluster that the flags and the environment name. Nothing is asked before the first call. */
export async function connect(
  choice: ConnectionChoice,
  machine: Machine,
): Promise<{ kube: KubeClient; connection: Connection }> {
  const connection = await findConnection(choice, machine);
  const kube = createKubeClient(
    { clock: systemClock, random: Math.random, log: NO_LOG, userAgent: `headway/${VERSION}` },
    connection,
  );
  return { kube, connection };
}

/** With no kubeconfig at all, the one pocket cluster that runs on this machine. */
export async function findConnection(choice: ConnectionChoice, machine: Machine): Promise<Connection> {
  const { env, home, tell } = machine;
  const deps = { clock: systemClock, env, homeDir: env['HOME'] ?? homedir() };
  try {
    return await loadConnection(deps, choice);
  } catch (error) {
    if (!isAppError(error, 'invalidConfig') || error.details?.['isMissing'] !== true) throw error;
    const running = PocketDirectory.all(home)
      .map((one) => one.status())
      .filter(({ state }) => state === 'running');
    const matching = running.filter(({ name }) => choice.context === undefined || contextOf(name) === choice.context);
    const [one] = matching;
    // A KUBECONFIG that names a missing file is a mistake to report, not a reason to pick another cluster.
    if (one === undefined || matching.length > 1 || (env['KUBECONFIG'] ?? '') !== '') throw noCluster(error, running);
    tell(`Using pocket cluster "${one.name}"${running.length === 1 ? ', the only one running' : ''}`);
    return await loadConnection(deps, { kubeconfig: one.kubeconfig });
  }
}

function noCluster(error: AppError, running: readonly PocketStatus[]): AppError {
  const hint =
    running.length === 0
      ? 'Choose a cluster with --kubeconfig FILE or $KUBECONFIG, or try Headway without one: headway up --demo'
      : `These pocket clusters are running; choose one with --context: ${running.map(({ name }) => contextOf(name)).join(', ')}`;
  return new AppError('invalidConfig', error.message, { cause: error, details: { ...error.details, hint } });
}

function contextOf(pocket: string): string {
  return `pocket-${pocket}`;
}
