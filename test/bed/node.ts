import { join } from 'node:path';
import { ask } from './ask.ts';
import type { ClusterFiles } from './cluster-files.ts';
import { ctr } from './ctr.ts';
import { command } from './control-plane.ts';
import { imageArchive, type ImageName } from './image/index.ts';
import { type Launched, launch, stop, waitFor, type Workplace } from './launch.ts';
import type { Machine } from './machine.ts';
import { writeNodeConfig } from './node-config.ts';

/** The node of a cluster: containerd and a kubelet in a machine of their own. */
export interface Node {
  name: string;
  address: string;
  /** Where the volumes of its claims are, as folders of the host. */
  volumes: string;
  /** Makes an image known to it; made first where it is not there yet. */
  load(image: ImageName): Promise<void>;
  /** Ends the kubelet without notice; its containers go on. */
  stopKubelet(): Promise<void>;
  startKubelet(): Promise<void>;
}

const READY_MS = 60_000;

/** A node whose kubelet has not been started: containerd needs no API server, so both can start at the same time. */
export async function prepareNode(place: Workplace, files: ClusterFiles, machine: Machine): Promise<Node> {
  const config = writeNodeConfig(files, machine);
  const inMachine = (name: string, program: string, args: string[]) => machine.inside({ name, program, args });
  const containerd = launch(
    place,
    inMachine(`${files.name}-containerd`, 'containerd', ['--config', config.containerd]),
  );
  await waitFor(place, containerd, {
    what: 'its socket',
    timeoutMs: READY_MS,
    missing: async () => await ctr(machine.inside, ['version'], place.signal).then(() => undefined, String),
  });
  let kubelet: Launched | undefined;
  const node: Node = {
    name: files.name,
    address: machine.network.node,
    volumes: join(machine.directory, 'volumes'),
    load: async (image) => {
      const { path } = await imageArchive(image, place.signal);
      await ctr(machine.inside, ['images', 'import', path], place.signal);
    },
    stopKubelet: async () => {
      if (kubelet !== undefined) await stop(place, kubelet);
      kubelet = undefined;
    },
    startKubelet: async () => {
      await node.stopKubelet();
      kubelet = launch(place, machine.inside(kubeletCommand(files, config.kubelet)));
      await waitFor(place, kubelet, {
        what: 'a node that is ready',
        timeoutMs: READY_MS,
        missing: async () => await missing(files),
      });
    },
  };
  await node.load('busybox');
  return node;
}

function kubeletCommand(files: ClusterFiles, config: string) {
  return command(files, 'kubelet', {
    config,
    kubeconfig: files.path('kubelet.kubeconfig'),
    'hostname-override': files.name,
    'node-ip': files.network?.node ?? '',
  });
}

interface NodeObject {
  spec: { taints?: { key: string }[] };
  status: { conditions: { type: string; status: string; message: string }[] };
}

/** Ready in its own words, and in those of the controller that keeps pods away from a node that is not. */
async function missing(files: ClusterFiles): Promise<string | undefined> {
  const path = `/api/v1/nodes/${files.name}`;
  const reply = await ask(`${files.server}${path}`, { caPem: files.certificates.ca.certPem, token: files.token });
  if (reply?.status !== 200) return `the node answered ${reply?.status ?? 'nothing'}`;
  const { spec, status } = JSON.parse(reply.body) as NodeObject;
  const ready = status.conditions.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return ready?.message ?? 'no condition Ready';
  const taints = spec.taints?.map(({ key }) => key) ?? [];
  return taints.length === 0 ? undefined : `the node has taints ${taints.join(', ')}`;
}
