import { join } from 'node:path';
import { LEASE } from '../../src/api/meta/builtin-types.ts';
import type { JsonObject } from '../../src/base/index.ts';
import type { ClusterChoice, ClusterSession } from '../../src/cli/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { installCrds } from '../../src/main/install/crds.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { PocketFixture } from '../pocket/pocket-fixture.ts';
import { CommandLine, type Ports, type Ran, type Started } from './command-line.ts';

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

/** The command line in this process, on a real pocket cluster without any controller: the test is the engine. */
export class CliFixture implements AsyncDisposable {
  readonly pocket: PocketFixture;
  readonly kube: KubeClient;
  readonly #line: CommandLine;

  private constructor(pocket: PocketFixture, kube: KubeClient, line: CommandLine) {
    this.pocket = pocket;
    this.kube = kube;
    this.#line = line;
  }

  static async start(): Promise<CliFixture> {
    const pocket = await PocketFixture.start();
    const line = new CommandLine(pocket.dir, join(pocket.dir, 'kubeconfig'));
    const { kube } = await line.connect();
    await installCrds(kube, AbortSignal.timeout(30_000));
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'velero' } };
    const type = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };
    await kube.create({ type }, namespace);
    await kube.create({ type: LEASE, namespace: 'velero' }, leaseHeldFor(3600));
    return new CliFixture(pocket, kube, line);
  }

  connect(choice: ClusterChoice = {}): Promise<ClusterSession> {
    return this.#line.connect(choice);
  }

  /** Runs a command to its end. */
  async run(...args: string[]): Promise<Ran> {
    return await this.#line.run(...args);
  }

  begin(args: readonly string[], ports: Ports = {}): Started {
    return this.#line.begin(args, ports);
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
