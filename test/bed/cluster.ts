import { ask } from './ask.ts';
import type { Pair } from './certificates.ts';
import { type ClusterFiles, writeClusterFiles } from './cluster-files.ts';
import { apiserverCommand, controllerManagerCommand, etcdCommand, schedulerCommand } from './control-plane.ts';
import { launch, type Launched, stop, updateState, waitFor, type Workplace } from './launch.ts';
import { type Machine, startMachine } from './machine.ts';
import { type Node, prepareNode } from './node.ts';
import { makeStorageClass } from './storage-class.ts';

/** A running control plane: API server, etcd and controllers, and a node where one was asked for. */
export interface Cluster {
  /** Also the name of its context. */
  name: string;
  server: string;
  /** The file; its one context is current and uses the token. */
  kubeconfig: string;
  caPem: string;
  /** Bearer token of a member of system:masters. */
  token: string;
  /** Client certificate of a member of system:masters. */
  clientCert: Pair;
  node: Node | undefined;
  /** Ends the API server without notice, as a crash does; etcd keeps everything. */
  stopApiserver(): Promise<void>;
  /** Starts it again on the same port, with other extra flags if given, and waits until it is ready. */
  startApiserver(extraFlags?: readonly string[]): Promise<void>;
  restartApiserver(extraFlags?: readonly string[]): Promise<void>;
  /** Compacts etcd: versions before the present one are gone, as after five minutes. */
  forgetHistory(): Promise<void>;
}

const READY_MS = 45_000;

/** Keys and addresses of a cluster, and the machine its node will run on. */
export interface Site {
  files: ClusterFiles;
  machine: Machine | undefined;
}

export async function prepareSite(place: Workplace, name: string, nodes: boolean): Promise<Site> {
  const files = await writeClusterFiles(place.directory, name, nodes);
  const { network, address, ports } = files;
  if (network === undefined) return { files, machine: undefined };
  const endpoint = `${address}:${ports.apiserver}`;
  return { files, machine: await startMachine(place, { cluster: name, network, endpoint }) };
}

export async function startCluster(place: Workplace, site: Site, extraFlags: readonly string[]): Promise<Cluster> {
  const { files, machine } = site;
  const { name } = files;
  const [node, cluster] = await Promise.all([
    machine && prepareNode(place, files, machine),
    startControlPlane(place, site, extraFlags),
  ]);
  if (node !== undefined) {
    launch(place, schedulerCommand(files));
    await Promise.all([node.startKubelet(), makeStorageClass(place, files)]);
  }
  updateState(place.directory, (state) => {
    const facts = { name, server: files.server, kubeconfig: files.kubeconfig, token: files.token };
    state.clusters.push({ ...facts, node: node !== undefined });
    state.clusters.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  });
  return { ...cluster, node };
}

type ControlPlane = Omit<Cluster, 'node'>;

async function startControlPlane(place: Workplace, site: Site, extraFlags: readonly string[]): Promise<ControlPlane> {
  const { files, machine } = site;
  launch(place, etcdCommand(files));
  const cluster = await withApiserver(place, files, extraFlags);
  const command = controllerManagerCommand(files);
  // Not before: it gives up when the API server takes more than 10 s, as it may on a busy machine. The folders it makes
  // for volumes are the node's.
  const controllers = launch(place, machine?.inside(command, 'mounts') ?? command);
  await waitFor(place, controllers, {
    what: 'the default service account',
    timeoutMs: READY_MS,
    missing: async () => await missing(files, '/api/v1/namespaces/default/serviceaccounts/default'),
  });
  return cluster;
}

async function withApiserver(
  place: Workplace,
  files: ClusterFiles,
  initialFlags: readonly string[],
): Promise<ControlPlane> {
  let flags = initialFlags;
  let running: Launched | undefined;
  const stopApiserver = async () => {
    if (running !== undefined) await stop(place, running);
    running = undefined;
  };
  const startApiserver = async (extraFlags = flags) => {
    await stopApiserver();
    flags = extraFlags;
    running = launch(place, apiserverCommand(files, flags));
    await waitFor(place, running, {
      what: '/readyz',
      timeoutMs: READY_MS,
      missing: async () => await missing(files, '/readyz'),
    });
  };
  await startApiserver();
  const { name, server, kubeconfig, token, certificates } = files;
  return {
    name,
    server,
    kubeconfig,
    caPem: certificates.ca.certPem,
    token,
    clientCert: certificates.admin,
    stopApiserver,
    startApiserver,
    restartApiserver: startApiserver,
    forgetHistory: async () => {
      await compact(`http://127.0.0.1:${files.ports.etcd}`);
    },
  };
}

/** Over etcd's own JSON gateway, so that no further program is needed. */
async function compact(etcd: string): Promise<void> {
  const call = async (path: string, body: object) => {
    const reply = await fetch(`${etcd}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`compact etcd: ${path} answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as { header: { revision: string } };
  };
  const { header } = await call('range', { key: 'AA==', count_only: true });
  await call('compaction', { revision: header.revision, physical: true });
}

async function missing(files: ClusterFiles, path: string): Promise<string | undefined> {
  const reply = await ask(`${files.server}${path}`, { caPem: files.certificates.ca.certPem, token: files.token });
  if (reply === undefined) return 'no answer';
  return reply.status === 200 ? undefined : `${path} answered ${reply.status}: ${reply.body.slice(0, 500)}`;
}
