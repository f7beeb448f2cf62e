import type { CaseGroup, Stage } from './case.ts';
import { pods } from './cases/objects.ts';
import { podConnect } from './cases/pods/connect.ts';
import { podContainers } from './cases/pods/containers.ts';
import { podEnding } from './cases/pods/ending.ts';
import { podEnvironment } from './cases/pods/environment.ts';
import { podExec } from './cases/pods/exec.ts';
import { podLogs } from './cases/pods/logs.ts';
import { podPhases } from './cases/pods/phases.ts';
import { podProbes } from './cases/pods/probes.ts';
import { podVolumes } from './cases/pods/volumes.ts';
import { podEvents, podWaiting } from './cases/pods/waiting.ts';

/** The pod part of the contract: what clients see of pods that run. It needs a node. */
export const POD_GROUPS: readonly CaseGroup[] = [
  podPhases,
  podContainers,
  podEnvironment,
  podVolumes,
  podProbes,
  podEnding,
  podLogs,
  podExec,
  podConnect,
  podWaiting,
  podEvents,
];

/** Pods that nobody looks at any more would slow the others down. */
export async function removePods({ api, namespace }: Stage): Promise<void> {
  await api.delete(pods(namespace), { query: { gracePeriodSeconds: '0' } });
}
