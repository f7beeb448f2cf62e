/** The cluster of bench/backup-restore.ts, and how an operation on it is measured. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Backup, BackupStorageLocation, Restore } from '../src/api/index.ts';
import { textAt, type JsonObject } from '../src/base/index.ts';
import type { KubeClient } from '../src/edge/kube/index.ts';
import { type Bed, bed } from '../test/bed/index.ts';
import { readState } from '../test/bed/state.ts';
import { eventually } from '../test/eventually.ts';
import { clientFor } from '../test/kube-client.ts';
import { objectOf } from '../test/kube-kinds.ts';
import { cpuSeconds, peakMb } from './backup-restore-process.ts';

const ROOT = join(import.meta.dirname, '..');
const VELERO = 'velero';
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];
const READY_MS = 60_000;

export interface Figures {
  seconds: number;
  /** Of the server's process only: what its plugins and the API server take is not in it. */
  cpuSeconds: number;
  peakMb: number;
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
    const b = await bed({ velero: { crds: join(ROOT, 'deploy/crds') } });
    await b.velero[0]!.stop();
    return new BenchBed(b, await clientFor(b.kubeconfig));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kube.close();
    await this.#bed[Symbol.asyncDispose]();
    rmSync(this.#home, { recursive: true, force: true });
  }

  /** Seconds that a bare loop takes. A list fails when there are not exactly as many objects. */
  async loop(mode: 'create' | 'list', namespace: string, count: number): Promise<number> {
    const { server: SERVER, caPem: CA, token: TOKEN } = this.#bed.clusters[0]!;
    const script = join(import.meta.dirname, 'backup-restore-loop.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, mode, namespace, String(count)], {
      env: { ...process.env, SERVER, CA, TOKEN },
    });
    return (JSON.parse(stdout) as { seconds: number }).seconds;
  }

  async velero(): Promise<Engine> {
    const server = this.#bed.velero[0]!;
    await server.start();
    const { pid } = readState(this.#bed.directory)!.processes.find(({ name }) => name.endsWith('-velero'))!;
    return { pid, stop: () => server.stop() };
  }

  /** The program as a user starts it. */
  async headway(): Promise<Engine> {
    const args = ['server', '--kubeconfig', this.#bed.kubeconfig, '--listen', '127.0.0.1:0'];
    return await this.#ready(spawn(join(ROOT, 'bin/headway'), args, this.#spawnOptions()));
  }

  /** The same parts put together here, so that progress can be switched on and off while a restore runs. */
  async headwayInTurns(): Promise<{ engine: Engine; turnsFile: string }> {
    const script = join(import.meta.dirname, 'backup-restore-server.ts');
    const turnsFile = join(this.#home, 'turns');
    const args = [script, this.#bed.kubeconfig, this.#home, turnsFile];
    const engine = await this.#ready(spawn(process.execPath, args, this.#spawnOptions()));
    return { engine, turnsFile };
  }

  async backup(engine: Engine, name: string, namespace = 'source'): Promise<Figures> {
    return await this.#measured(engine, Backup, name, { includedNamespaces: [namespace], storageLocation: 'default' });
  }

  /** Into a namespace with the restore's name. */
  async restore(
    engine: Engine,
    name: string,
    { backup, count, namespace = 'source' }: { backup: string; count: number; namespace?: string },
  ): Promise<Figures> {
    const spec = { backupName: backup, namespaceMapping: { [namespace]: name } };
    const figures = await this.#measured(engine, Restore, name, spec);
    await this.loop('list', name, count);
    return figures;
  }

  async #measured(
    { pid }: Engine,
    type: typeof Backup | typeof Restore,
    name: string,
    spec: JsonObject,
  ): Promise<Figures> {
    const target = { type, namespace: VELERO };
    const cpuBefore = cpuSeconds(pid);
    const began = performance.now();
    await this.#kube.create(target, objectOf(type, name, { metadata: { namespace: VELERO }, spec }));
    const phase = await this.#phaseAtEnd(type, name);
    const seconds = (performance.now() - began) / 1000;
    if (phase !== 'Completed') {
      const { status } = await this.#kube.get({ ...target, name });
      throw new Error(`${type.kind} ${name}: expected Completed, got ${JSON.stringify(status)}`);
    }
    return { seconds, cpuSeconds: cpuSeconds(pid) - cpuBefore, peakMb: peakMb(pid) };
  }

  async #phaseAtEnd(type: typeof Backup | typeof Restore, name: string): Promise<string> {
    const target = { type, namespace: VELERO, name };
    for (;;) {
      const now = await this.#kube.get(target);
      const phase = textAt(now, 'status', 'phase') ?? '';
      if (ENDED.includes(phase)) return phase;
      // A watch ends in peace now and then; the next one goes on from what is there.
      const options = { fieldSelector: `metadata.name=${name}`, resourceVersion: now.metadata.resourceVersion ?? '' };
      for await (const event of this.#kube.watch(target, options)) {
        const seen = event.type === 'BOOKMARK' ? '' : (textAt(event.object, 'status', 'phase') ?? '');
        if (ENDED.includes(seen)) return seen;
      }
    }
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
