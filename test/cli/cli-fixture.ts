import { join } from 'node:path';
import { LEASE } from '../../src/api/meta/builtin-types.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { Printer, runCli, type CliDeps, type ClusterChoice, type ClusterSession } from '../../src/cli/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { downloadLines } from '../../src/main/download-lines.ts';
import { openCluster } from '../../src/main/open-cluster.ts';
import { serverClient } from '../../src/main/server-client.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { PocketFixture } from '../pocket/pocket-fixture.ts';

/** Somebody leads, and need not renew it while the tests run. */
function leaseHeldFor(leaseDurationSeconds: number): KubeObject {
  const renewTime = new Date(systemClock.now()).toISOString().replace('Z', '000Z');
  const spec = { holderIdentity: 'test', leaseDurationSeconds, renewTime };
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'headway', namespace: 'velero' },
    spec,
  };
}

export const VELERO = { group: 'velero.io', version: 'v1', namespaced: true };
export const BACKUPS = { ...VELERO, kind: 'Backup', plural: 'backups' };
export const RESTORES = { ...VELERO, kind: 'Restore', plural: 'restores' };

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Started {
  out(): string;
  err(): string;
  interrupt(): void;
  ended: Promise<Ran>;
}

/** The command line in this process, on a real pocket cluster without any controller: the test is the engine. */
export class CliFixture implements AsyncDisposable {
  readonly pocket: PocketFixture;
  readonly kube: KubeClient;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(pocket: PocketFixture, kube: KubeClient, env: NodeJS.ProcessEnv) {
    this.pocket = pocket;
    this.kube = kube;
    this.#env = env;
  }

  static async start(): Promise<CliFixture> {
    const pocket = await PocketFixture.start();
    const env = { KUBECONFIG: join(pocket.dir, 'kubeconfig'), HEADWAY_HOME: pocket.dir };
    const { kube } = await openCluster({}, { home: pocket.dir, env, tell: () => undefined });
    await installCrds(kube, AbortSignal.timeout(30_000));
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'velero' } };
    const type = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
    await kube.create({ type }, namespace);
    await kube.create({ type: LEASE, namespace: 'velero' }, leaseHeldFor(3600));
    return new CliFixture(pocket, kube, env);
  }

  connect(choice: ClusterChoice = {}): Promise<ClusterSession> {
    return openCluster(choice, { home: this.pocket.dir, env: this.#env, tell: () => undefined });
  }

  /** Runs a command to its end. */
  async run(...args: string[]): Promise<Ran> {
    return await this.begin(args).ended;
  }

  begin(args: readonly string[], ports: Partial<CliDeps> & { isTerminal?: boolean } = {}): Started {
    const printed = { out: '', err: '' };
    const stop = new AbortController();
    const { isTerminal = false, ...others } = ports;
    const env = this.#env;
    const unused = () => Promise.reject(new Error('this command must not use that port'));
    const deps: CliDeps = {
      version: '1.2.3',
      nodeVersion: '24.0.0',
      programName: 'headway',
      output: new Printer({
        out: (text) => void (printed.out += text),
        err: (text) => void (printed.err += text),
        isTerminal,
        columns: 80,
      }),
      signal: stop.signal,
      clock: systemClock,
      cluster: unused,
      connect: (choice) => this.connect(choice),
      server: (choice) =>
        serverClient(choice, {
          home: this.pocket.dir,
          env,
          signal: stop.signal,
          tell: (line) => void (printed.err += `${line}\n`),
        }),
      download: (url) => downloadLines(url, stop.signal),
      readFile: unused,
      confirm: () => Promise.resolve(undefined),
      pocket: unused,
      demo: unused,
      serve: unused,
      installer: unused,
      mover: unused,
      ...others,
    };
    return {
      out: () => printed.out,
      err: () => printed.err,
      interrupt: () => {
        stop.abort(new Error('interrupted'));
      },
      ended: runCli(args, deps).then((code) => ({ code, ...printed })),
    };
  }

  /** What an engine would write. */
  async setStatus(type: typeof BACKUPS, name: string, status: JsonObject): Promise<KubeObject> {
    return await this.kube.patch({ type, namespace: 'velero', name }, { kind: 'merge', body: { status } });
  }

  async get(type: typeof BACKUPS, name: string): Promise<KubeObject> {
    return await this.kube.get({ type, namespace: 'velero', name });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kube.close();
    await this.pocket[Symbol.asyncDispose]();
  }
}
