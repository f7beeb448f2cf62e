/** Five actions of one ScaleWorkload each on the bed's API server, for bench/actions.ts. */
import { ActionSet, Blueprint, DEPLOYMENT, NAMESPACE } from '../src/api/index.ts';
import { textAt, type JsonObject } from '../src/base/index.ts';
import { installCrds } from '../src/main/install/crds.ts';
import { bed } from '../test/bed/index.ts';
import { eventually } from '../test/eventually.ts';
import { HeadwayHome } from '../test/headway-process.ts';
import { clientFor } from '../test/kube-client.ts';
import { objectOf } from '../test/kube-kinds.ts';

const SPACE = 'bench';
const ACTIONS = 5;
const ROUNDS = 5;

/** Seconds of the median set, from its creation to its end in the status. Workloads go down, or up, in turns. */
export async function scaleFive(): Promise<number> {
  await using running = await bed({ clusters: 1 });
  const kube = await clientFor(running.kubeconfig);
  using home = new HeadwayHome();
  const args = ['--kubeconfig', running.kubeconfig, '--listen', '127.0.0.1:0', '--engines', 'kanister'];
  try {
    await installCrds(kube, AbortSignal.timeout(60_000));
    for (const name of ['velero', SPACE]) await kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, name));
    const server = home.start('server', ...args);
    await eventually(
      () => {
        if (!`${server.out}${server.err}`.includes('"leading"')) throw new Error(`it does not lead: ${server.err}`);
      },
      { withinMs: 60_000 },
    );
    // Nothing runs there that would make pods ready, so nobody waits for them.
    const scale = {
      func: 'ScaleWorkload',
      name: 'scale',
      args: { replicas: '{{ .Options.replicas }}', waitForReady: false },
    };
    const blueprint = objectOf(Blueprint, 'scale', { actions: { go: { phases: [scale] } } });
    await eventually(() => kube.create({ type: Blueprint, namespace: SPACE }, blueprint));
    const workloads = Array.from({ length: ACTIONS }, (_, at) => `web-${at}`);
    for (const name of workloads) await kube.create({ type: DEPLOYMENT, namespace: SPACE }, deployment(name));
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const replicas = String(round % 2);
      const actions = workloads.map((name) => ({
        ...{ name: 'go', blueprint: 'scale', options: { replicas } },
        object: { kind: 'Deployment', name, namespace: SPACE },
      }));
      seconds.push(await runSet(`scale-${round}`, actions));
    }
    return seconds.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Infinity;
  } finally {
    await kube.close();
  }

  async function runSet(name: string, actions: JsonObject[]): Promise<number> {
    const target = { type: ActionSet, namespace: SPACE };
    const began = performance.now();
    await kube.create(target, objectOf(ActionSet, name, { spec: { actions } }));
    const status = await eventually(
      async () => {
        const found = await kube.get({ ...target, name });
        if (!['complete', 'failed'].includes(textAt(found, 'status', 'state') ?? '')) throw new Error('it runs');
        return found['status'];
      },
      { withinMs: 120_000 },
    );
    if (textAt(status, 'state') !== 'complete') throw new Error(JSON.stringify(status));
    return (performance.now() - began) / 1000;
  }
}

function deployment(name: string) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } };
  return objectOf(DEPLOYMENT, name, { spec: { replicas: 1, selector: { matchLabels: labels }, template } });
}
