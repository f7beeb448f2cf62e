import { tmpdir } from 'node:os';
import { NO_LOG, type Clock, type Log } from '../src/base/index.ts';
import { createKubeClient, loadConnection, type KubeClient } from '../src/edge/kube/index.ts';
import { systemClock } from '../src/main/system-clock.ts';

/** A client as the composition root makes one, from a kubeconfig file. */
export async function clientFor(kubeconfig: string, options: { log?: Log; clock?: Clock } = {}): Promise<KubeClient> {
  const { clock = systemClock, log = NO_LOG } = options;
  const deps = { clock, env: { PATH: process.env['PATH'] }, homeDir: tmpdir() };
  const connection = await loadConnection(deps, { kubeconfig });
  return createKubeClient({ clock, log, random: Math.random, userAgent: 'headway-test' }, connection);
}
