import { describe, type TestOptions } from 'vitest';
import { POD } from '../src/api/index.ts';
import { messageOf, textAt, type JsonObject } from '../src/base/index.ts';
import type { KubeClient } from '../src/edge/kube/index.ts';
import { bed, needsBed, type Bed } from './bed/index.ts';
import { eventually } from './eventually.ts';
import { KillablePocket } from './faults/killable-pocket.ts';
import { HeadwayHome } from './headway-process.ts';
import { clientFor } from './kube-client.ts';
import { objectOf } from './kube-kinds.ts';

/** A cluster whose pods are processes. */
export interface PodCluster extends AsyncDisposable {
  kube: KubeClient;
  kubeconfig: string;
  /** Of the kubelet only. */
  bed?: Bed;
}

/** For `describeOn(kind, kind.title('what is tested'), …)`. */
export interface PodClusterKind {
  name: 'kubelet' | 'pocket';
  missing: boolean;
  title(name: string): string;
  start(): Promise<PodCluster>;
}

/** Where pods run: a real kubelet, and pocket once its node runs processes. What is not to be had is a visible skip. */
export async function podClusters(contents: { s3?: boolean } = {}): Promise<PodClusterKind[]> {
  const wanted = { clusters: 1, nodes: true, ...contents };
  const need = needsBed(wanted);
  const why = await whyNoPocketPods();
  return [
    {
      name: 'kubelet',
      missing: need.missing,
      title: (name) => need.title(`${name} on a real kubelet`),
      start: async () => {
        const running = await bed(wanted);
        const kube = await clientFor(running.kubeconfig);
        const end = async (): Promise<void> => {
          await kube.close();
          await running[Symbol.asyncDispose]();
        };
        return { kube, kubeconfig: running.kubeconfig, bed: running, [Symbol.asyncDispose]: end };
      },
    },
    {
      name: 'pocket',
      missing: why !== undefined,
      title: (name) => `${name} on a pocket cluster${why === undefined ? '' : ` (skipped: ${why})`}`,
      start: startedPocket,
    },
  ];
}

/** One after the other, and beside the same tests on the other kind of cluster: both mostly wait for their pods. */
export function describeOn(kind: PodClusterKind, title: string, options: TestOptions, tests: () => void): void {
  describe.skipIf(kind.missing)(title, { concurrent: true }, () => {
    describe('one after the other', { ...options, concurrent: false }, tests);
  });
}

/** A pod of one container with a shell in it. */
export function shellPod(name: string, script: string, more: { spec?: JsonObject; container?: JsonObject } = {}) {
  const container = { name: 'main', image: 'busybox:1', command: ['sh', '-c', script], ...more.container };
  const spec = { restartPolicy: 'Never', terminationGracePeriodSeconds: 0, containers: [container], ...more.spec };
  return objectOf(POD, name, { spec });
}

export async function isUp(kube: KubeClient, namespace: string, name: string): Promise<void> {
  await eventually(
    async () => {
      const pod = await kube.get({ type: POD, namespace, name });
      const phase = textAt(pod, 'status', 'phase');
      if (phase !== 'Running') throw new Error(`pod ${name} is ${phase ?? 'new'}: ${JSON.stringify(pod['status'])}`);
    },
    { withinMs: 30_000 },
  );
}

/** What a command in a pod says. */
export async function sayIn(
  kube: KubeClient,
  pod: { namespace: string; name: string },
  script: string,
  deadlineMs = 20_000,
) {
  let said = '';
  const stdout = (bytes: Uint8Array): void => {
    said += Buffer.from(bytes).toString();
  };
  await kube.exec(pod, { command: ['sh', '-c', script], stdout, deadlineMs });
  return said;
}

/** As a user starts one, whose pods are processes unless told otherwise. */
async function startedPocket(): Promise<PodCluster> {
  const home = new HeadwayHome();
  const pocket = await KillablePocket.start(home);
  const kube = await clientFor(pocket.kubeconfig);
  const end = async (): Promise<void> => {
    await kube.close();
    await pocket[Symbol.asyncDispose]();
    home[Symbol.dispose]();
  };
  return { kube, kubeconfig: pocket.kubeconfig, [Symbol.asyncDispose]: end };
}

/** Undefined when a command in a pod of pocket really runs. */
async function whyNoPocketPods(): Promise<string | undefined> {
  await using pocket = await startedPocket();
  const { kube } = pocket;
  await kube.create({ type: POD, namespace: 'default' }, shellPod('probe', 'sleep 60'));
  await isUp(kube, 'default', 'probe');
  try {
    const pod = { namespace: 'default', name: 'probe' };
    const { exitCode } = await kube.exec(pod, { command: ['sh', '-c', 'exit 3'], deadlineMs: 10_000 });
    return exitCode === 3 ? undefined : `pocket answers exit code ${exitCode} for exit 3`;
  } catch (error) {
    return `pocket runs no processes yet: ${messageOf(error).replace(/^.*answered /, '')}`;
  }
}
