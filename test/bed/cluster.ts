import { ask } from './ask.ts';
import type { Pair } from './certificates.ts';
import { type ClusterFiles, writeClusterFiles } from './cluster-files.ts';
import { apiserverCommand, controllerManagerCommand, etcdCommand } from './control-plane.ts';
import { launch, type Launched, stop, updateState, waitFor, type Workplace } from './launch.ts';

/** A running control plane: API server, etcd and controllers, no nodes. */
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
  /** Ends the API server without notice, as a crash does; etcd keeps everything. */
  stopApiserver(): Promise<void>;
  /** Starts it again on the same port, with other extra flags if given, and waits until it is ready. */
  startApiserver(extraFlags?: readonly string[]): Promise<void>;
  restartApiserver(extraFlags?: readonly string[]): Promise<void>;
  /** Compacts etcd: versions before the present one are gone, as after five minutes. */
  forgetHistory(): Promise<void>;
}

const READY_MS = 45_000;

export async function startCluster(place: Workplace, name: string, extraFlags: readonly string[]): Promise<Cluster> {
  const files = await writeClusterFiles(place.directory, name);
  launch(place, etcdCommand(files));
  const cluster = await withApiserver(place, files, extraFlags);
  // Not before: it gives up when the API server takes more than 10 s, as it may on a busy machine.
  const controllers = launch(place, controllerManagerCommand(files));
  await waitFor(place, controllers, {
    what: 'the default service account',
    timeoutMs: READY_MS,
    missing: async () => await missing(files, '/api/v1/namespaces/default/serviceaccounts/default'),
  });
  updateState(place.directory, (state) => {
    state.clusters.push({ name, server: files.server, kubeconfig: files.kubeconfig, token: files.token });
    state.clusters.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  });
  return cluster;
}

async function withApiserver(place: Workplace, files: ClusterFiles, initialFlags: readonly string[]): Promise<Cluster> {
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
