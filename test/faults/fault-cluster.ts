import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BackupStorageLocation } from '../../src/api/index.ts';
import { NO_LOG, textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { openStore, type Store, type StoreLocation } from '../../src/edge/store/index.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { bed, type Bed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { HeadwayHome, type Running } from '../headway-process.ts';
import { killLeader } from '../kill-leader.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES, objectOf, SECRETS } from '../kube-kinds.ts';
import { FaultLine } from './fault-line.ts';
import { lineToCluster } from './line-to-cluster.ts';
import { KillablePocket } from './killable-pocket.ts';

const VELERO = 'velero';
const LOCATIONS = { type: BackupStorageLocation, namespace: VELERO };

export interface FaultClusterOptions {
  /** Pocket runs in a process of its own; `kubelet` is a bed whose pods run. */
  cluster: 'pocket' | 'bed' | 'kubelet';
  /** A directory, or the bed's S3 server behind a line. */
  store: 'fs' | 's3';
  /** Without a line to S3: pods on a node of its own reach the store, and not this machine. */
  isStoreDirect?: boolean;
  /** More for the pocket cluster, and for every server. */
  pocketFlags?: readonly string[];
  serverFlags?: readonly string[];
}

/** A cluster whose every connection to `headway server` can be disturbed; the test's own client goes past that. */
export class FaultCluster implements AsyncDisposable {
  readonly kube: KubeClient;
  /** Between the server and the API server. */
  readonly api: FaultLine;
  /** Between the server and the S3 store. */
  readonly s3: FaultLine | undefined;
  /** The default location, past the line. */
  readonly store: Store;
  readonly home: HeadwayHome;
  readonly bed: Bed | undefined;
  readonly #kubeconfig: string;
  readonly #parts: AsyncDisposable[];
  readonly #servers: Running[] = [];
  readonly #serverFlags: readonly string[];
  readonly #pocket: KillablePocket | undefined;

  static async start(options: FaultClusterOptions): Promise<FaultCluster> {
    const { cluster, store, pocketFlags, serverFlags = [], isStoreDirect = false } = options;
    const home = new HeadwayHome();
    const parts: AsyncDisposable[] = [];
    try {
      const isReal = cluster !== 'pocket';
      const contents = { clusters: isReal ? 1 : 0, nodes: cluster === 'kubelet', s3: store === 's3' };
      const real = isReal || store === 's3' ? await bed(contents) : undefined;
      if (real !== undefined) parts.push(real);
      const pocket = isReal ? undefined : await KillablePocket.start(home, pocketFlags);
      if (pocket !== undefined) parts.push(pocket);
      return await FaultCluster.#assemble({ home, parts, real, pocket, serverFlags, isStoreDirect });
    } catch (error) {
      for (const part of parts.toReversed()) await part[Symbol.asyncDispose]();
      home[Symbol.dispose]();
      throw error;
    }
  }

  static async #assemble(base: Base): Promise<FaultCluster> {
    const { home, parts, real, pocket, isStoreDirect } = base;
    const direct = pocket?.kubeconfig ?? real!.kubeconfig;
    const kubeconfig = join(home.path, 'kubeconfig');
    const api = await lineToCluster(direct, kubeconfig);
    parts.push(api);
    const s3 = real?.s3 === undefined || isStoreDirect ? undefined : await FaultLine.to(real.s3.endpoint);
    if (s3 !== undefined) parts.push(s3);
    const location = locationOf(real);
    mkdirSync(join(home.path, 'stores'));
    const store = await openStore(location, { log: NO_LOG, fsRoot: join(home.path, 'stores') });
    const kube = await clientFor(direct);
    await prepare(kube, location, s3);
    return new FaultCluster({ ...base, kube, api, s3, store, kubeconfig });
  }

  private constructor(base: Base & Assembled) {
    this.home = base.home;
    this.kube = base.kube;
    this.api = base.api;
    this.s3 = base.s3;
    this.store = base.store;
    this.bed = base.real;
    this.#pocket = base.pocket;
    this.#kubeconfig = base.kubeconfig;
    this.#parts = base.parts;
    this.#serverFlags = base.serverFlags;
  }

  /** The directory of the `fs` store. */
  get fsDirectory(): string {
    return join(this.home.path, 'stores', 'backups');
  }

  /** What the server keeps on its own disk for operations, their logs among it. */
  spooled(): string[] {
    const own = join(this.home.path, 'state', 'server', 'clusters', 'line');
    return readdirSync(own, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  }

  /** One more server process; a replica that runs beside another has a home of its own, as a second pod has. */
  serve(home: HeadwayHome = this.home): Running {
    const fsRoot = join(this.home.path, 'stores');
    const flags = ['--kubeconfig', this.#kubeconfig, '--listen', '127.0.0.1:0', '--fs-root', fsRoot];
    const running = home.start('server', ...flags, ...this.#serverFlags);
    this.#servers.push(running);
    return running;
  }

  /** A server that works: it holds the lease and has found the location available. */
  async served(): Promise<Running> {
    const running = this.serve();
    await this.isAtWork(running);
    return running;
  }

  async isAtWork(running: Running, withinMs = 60_000): Promise<void> {
    await eventually(
      async () => {
        if (running.child.exitCode !== null) throw new Error(`the server ended:\n${running.err}`);
        if (!running.err.includes('"leading"')) throw new Error(`the server does not lead:\n${running.err}`);
        const location = await this.kube.get({ ...LOCATIONS, name: 'default' });
        if (textAt(location, 'status', 'phase') !== 'Available') throw new Error(`not available:\n${running.err}`);
      },
      { withinMs },
    );
  }

  async kill(running: Running): Promise<void> {
    await killLeader(running, this.kube);
  }

  /** kill -9 of the API server, and the same again at the same port. */
  async restartApi(): Promise<void> {
    if (this.#pocket === undefined) await this.bed!.clusters[0]!.restartApiserver();
    else await this.#pocket.restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const running of this.#servers) {
      running.child.kill('SIGKILL');
      await running.finished();
    }
    await this.kube.close();
    this.store.close();
    for (const part of this.#parts.toReversed()) await part[Symbol.asyncDispose]();
    this.home[Symbol.dispose]();
  }
}

interface Base {
  home: HeadwayHome;
  parts: AsyncDisposable[];
  real: Bed | undefined;
  pocket: KillablePocket | undefined;
  serverFlags: readonly string[];
  isStoreDirect: boolean;
}

interface Assembled {
  kube: KubeClient;
  api: FaultLine;
  s3: FaultLine | undefined;
  store: Store;
  kubeconfig: string;
}

function locationOf(real: Bed | undefined): StoreLocation {
  if (real?.s3 === undefined) return { provider: 'headway.io/fs', bucket: 'backups' };
  const { endpoint, accessKey, secretKey, bucket, region } = real.s3;
  return {
    provider: 'aws',
    bucket,
    config: { region, s3ForcePathStyle: 'true', s3Url: endpoint },
    credentialsIni: `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n`,
  };
}

async function prepare(kube: KubeClient, location: StoreLocation, s3: FaultLine | undefined): Promise<void> {
  await installCrds(kube, AbortSignal.timeout(60_000));
  await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, VELERO));
  if (location.credentialsIni !== undefined) {
    const stringData = { cloud: location.credentialsIni };
    await kube.create(
      { type: SECRETS, namespace: VELERO },
      objectOf(SECRETS, 'cloud-credentials', { metadata: { namespace: VELERO }, stringData }),
    );
  }
  const near = s3 === undefined ? {} : { s3Url: s3.url };
  const config = location.config === undefined ? {} : { config: { ...location.config, ...near } };
  const spec: JsonObject = {
    ...{ provider: location.provider, objectStorage: { bucket: location.bucket }, default: true },
    ...config,
  };
  await kube.create(LOCATIONS, {
    apiVersion: 'velero.io/v1',
    kind: BackupStorageLocation.kind,
    metadata: { name: 'default', namespace: VELERO },
    spec,
  });
}
