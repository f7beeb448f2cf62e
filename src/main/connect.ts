import { homedir } from 'node:os';
import {
  createKubeClient,
  loadConnection,
  type Connection,
  type ConnectionChoice,
  type KubeClient,
} from '../edge/kube/index.ts';
import { NO_LOG } from '../base/index.ts';
import { systemClock } from './system-clock.ts';
import { VERSION } from './version.ts';

/** A client for the cluster that the flags and the environment name. Nothing is asked before the first call. */
export async function connect(
  choice: ConnectionChoice,
  env: NodeJS.ProcessEnv,
): Promise<{ kube: KubeClient; connection: Connection }> {
  const connection = await loadConnection({ clock: systemClock, env, homeDir: homedir() }, choice);
  const kube = createKubeClient(
    { clock: systemClock, random: Math.random, log: NO_LOG, userAgent: `headway/${VERSION}` },
    connection,
  );
  return { kube, connection };
}
