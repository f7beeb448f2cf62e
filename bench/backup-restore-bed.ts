/** The cluster of bench/backup-restore.ts and bench/real-load.ts, and how an operation on it is measured. */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Backup, BackupStorageLocation, Restore } from '../src/api/index.ts';
import { objectAt, textAt, type JsonObject } from '../src/base/index.ts';
import type { KubeClient, KubeObject } from '../src/edge/kube/index.ts';
import { builtProgram } from '../src/main/built/program.ts';
import { type Bed, bed } from '../test/bed/index.ts';
import { readState } from '../test/bed/state.ts';
import { eventually } from '../test/eventually.ts';
import { clientFor } from '../test/kube-client.ts';
import { objectOf } from '../test/kube-kinds.ts';
import { Percents } from './backup-restore-percents.ts';
import { cpuSeconds, peakMb } from './backup-restore-process.ts';

const ROOT = join(import.meta.dirname, '..');
const VELERO = 'velero';
const CONTROLLERS = 'kube-controller-manager';
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];
const READY_MS = 60_000;

export interface Figures {
  seconds: number;
  /** Of the server's process only: what its plugins and the API server take is not in it. */
  cpuSeconds: number;
  peakMb: number;
  percents: Percents;
  /** As `status.progress` has it at the end. */
  items: number;
  created: number;
}

/** A process that answers Backups and Restores. */
export interface Engine {
  pid: number;
  stop(): Promise<void>;
}

/** One cluster, one bucket and one namespace `source` full of objects; Velero and Headway take turns on it. */
export class BenchBed implements AsyncDisposable {
  readonly #bed: Bed;
  readonly #kube: KubeClient;
  readonly #home = mkdtempSync(join(tmpdir(), 'headway-bench-'));

  private constructor(b: Bed, kube: KubeClient) {
    this.#bed = b;
    this.#kube = kube;
  }

  static async start(): Promise<BenchBed> {
    // As it is shipped: the process that bundles its own sources first takes 30 MB more.
    await builtProgram(ROOT, { signal: AbortSignal.timeout(120_000) });
    const b = await bed({ velero: { crds: join(ROOT, 'deploy/crds') } });
    await b.velero[0]!.stop();
    return new BenchBed(b, await clientFor(b.kubeconfig));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // So that it hears that it is to end.
    process.kill(this.#pidOf(CONTROLLERS), 'SIGCONT');
    await this.#kube.close();
    await this.#bed[Symbol.asyncDispose]();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** The way to the API server, for bare loops. */
  get line(): { server: string; ca: string; token: string } {
    const { server, caPem: ca, token } = this.#bed.clusters[0]!;
    return { server, ca, token };
  }

  /** Stops the controllers for good, where they are: what they do of their own accord would hit one side only. */
  freezeControllers(): void {
    process.kill(this.#pidOf(CONTROLLERS), 'SIGSTOP');
  }

  /** Prints what a process of its own printed. */
  async run(script: string, ...args: string[]): Promise<string> {
    spawnSync('sync');
    const { server: SERVER, ca: CA, token: TOKEN } = this.line;
    const options = { env: { ...process.env, SERVER, CA, TOKEN }, maxBuffer: Infinity };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, script), ...args],
      options,
    );
    return stdout;
  }

  /** Seconds that a bare loop takes. A list fails when there are not exactly as many objects. */
  async loop(mode: 'create' | 'list', namespace: string, count: number): Promise<number> {
    const stdout = await this.run('backup-restore-loop.ts', mode, namespace, String(count));
    return (JSON.parse(stdout) as { seconds: number }).seconds;
  }

  async velero(): Promise<Engine> {
    const server = this.#bed.velero[0]!;
    await server.start();
    return { pid: this.#pidOf('velero'), stop: () => server.stop() };
  }

  /** The program as a user starts it. */
  async headway(): Promise<Engine> {
    const args = ['server', '--kubeconfig', this.#bed.kubeconfig, '--listen', '127.0.0.1:0'];
    return await this.#ready(spawn(join(ROOT, 'bin/headway'), args, this.#spawnOptions()));
  }

  /** The same parts put together in a script of ours, which writes what it sees into a file. */
  async headwayIn(script: string, file: string): Promise<{ engine: Engine; file: string }> {
    const path = join(this.#home, file);
    const args = [join(import.meta.dirname, script), this.#bed.kubeconfig, this.#home, path];
    const engine = await this.#ready(spawn(process.execPath, args, this.#spawnOptions()));
    return { engine, file: path };
  }

  async backup(engine: Engine, name: string, namespace = 'source'): Promise<Figures> {
    return await this.measure(engine, Backup, name, { includedNamespaces: [namespace], storageLocation: 'default' });
  }

  /** Into a namespace with the restore's name. */
  async restore(
    engine: Engine,
    name: string,
    { backup, count, namespace = 'source' }: { backup: string; count: number; namespace?: string },
  ): Promise<Figures> {
    const spec = { backupName: backup, namespaceMapping: { [namespace]: name } };
    const figures = await this.measure(engine, Restore, name, spec);
    await this.loop('list', name, count);
    return figures;
  }

  /** From its creation to its end, which must be a good one. */
  async measure(
    { pid }: Engine,
    type: typeof Backup | typeof Restore,
    name: string,
    spec: JsonObject,
  ): Promise<Figures> {
    const target = { type, namespace: VELERO };
    // What was measured before is on the disk then, and etcd need not wait for it.
    spawnSync('sync');
    const cpuBefore = cpuSeconds(pid);
    const began = performance.now();
    await this.#kube.create(target, objectOf(type, name, { metadata: { namespace: VELERO }, spec }));
    const percents = new Percents(began);
    const status = await this.#end(type, name, percents);
    const seconds = (performance.now() - began) / 1000;
    if (textAt(status, 'phase') !== 'Completed') {
      throw new Error(`${type.kind} ${name}: expected Completed, got ${JSON.stringify(status)}`);
    }
    const { itemsBackedUp, itemsRestored, totalItems, created } = objectAt(status, 'progress');
    const items = Number(itemsBackedUp ?? itemsRestored ?? 0);
    if (items !== totalItems) {
      throw new Error(`${type.kind} ${name}: Completed with ${String(items)} items, got ${JSON.stringify(status)}`);
    }
    const used = { seconds, cpuSeconds: cpuSeconds(pid) - cpuBefore, peakMb: peakMb(pid) };
    return { ...used, items, created: Number(created ?? 0), percents };
  }

  async #end(type: typeof Backup | typeof Restore, name: string, percents: Percents): Promise<JsonObject> {
    const target = { type, namespace: VELERO, name };
    const look = (object: KubeObject): JsonObject | undefined => {
      const status = objectAt(object, 'status');
      percents.see(status);
      return ENDED.includes(textAt(status, 'phase') ?? '') ? status : undefined;
    };
    for (;;) {
      const now = await this.#kube.get(target);
      const ended = look(now);
      if (ended !== undefined) return ended;
      // A watch ends in peace now and then; the next one goes on from what is there.
      const options = { fieldSelector: `metadata.name=${name}`, resourceVersion: now.metadata.resourceVersion ?? '' };
      for await (const event of this.#kube.watch(target, options)) {
        const status = event.type === 'BOOKMARK' ? undefined : look(event.object);
        if (status !== undefined) return status;
      }
    }
  }

  #pidOf(part: string): number {
    return readState(this.#bed.directory)!.processes.find(({ name }) => name.endsWith(`-${part}`))!.pid;
  }

  async #ready(child: ChildProcess): Promise<Engine> {
    const since = new Date(Date.now() - 1000);
    await eventually(
      async () => {
        const location = await this.#kube.get({ type: BackupStorageLocation, namespace: VELERO, name: 'default' });
        const checked = new Date(textAt(location, 'status', 'lastValidationTime') ?? 0);
        // The last server's word is no word of this one.
        if (checked < since) throw new Error('headway server has not looked at its location');
      },
      { withinMs: READY_MS },
    );
    const stop = async (): Promise<void> => {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    };
    return { pid: child.pid!, stop };
  }

  #spawnOptions(): { env: NodeJS.ProcessEnv; stdio: ['ignore', 'ignore', 'inherit' | 'ignore'] } {
    const env = { PATH: process.env['PATH'], HOME: this.#home, HEADWAY_HOME: join(this.#home, 'state') };
    return { env, stdio: ['ignore', 'ignore', 'ignore'] };
  }
}
