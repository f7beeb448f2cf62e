import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reservePort } from '../bed/ports.ts';
import { eventually } from '../eventually.ts';
import type { HeadwayHome, Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES } from '../kube-kinds.ts';

const POCKET = 'faults';

/** A pocket cluster in a process of its own, which can be killed and started again at the same port. */
export class KillablePocket implements AsyncDisposable {
  readonly kubeconfig: string;
  readonly #home: HeadwayHome;
  readonly #port: number;
  readonly #flags: readonly string[];
  #running: Running;

  static async start(home: HeadwayHome, flags: readonly string[] = []): Promise<KillablePocket> {
    const pocket = new KillablePocket(home, await reservePort(), flags);
    await pocket.#isReady();
    return pocket;
  }

  private constructor(home: HeadwayHome, port: number, flags: readonly string[]) {
    this.#home = home;
    this.#port = port;
    this.#flags = flags;
    this.kubeconfig = join(home.path, 'state', 'pocket', POCKET, 'kubeconfig');
    this.#running = this.#start();
  }

  async restart(): Promise<void> {
    await this[Symbol.asyncDispose]();
    this.#running = this.#start();
    await this.#isReady();
  }

  #start(): Running {
    return this.#home.start('pocket', 'run', POCKET, '--port', String(this.#port), ...this.#flags);
  }

  async #isReady(): Promise<void> {
    await eventually(
      async () => {
        if (!existsSync(this.kubeconfig)) throw new Error(`pocket is not ready: ${this.#running.err}`);
        const kube = await clientFor(this.kubeconfig);
        await kube.get({ type: NAMESPACES, name: 'default' }).finally(() => kube.close());
      },
      { withinMs: 30_000 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#running.child.kill('SIGKILL');
    await this.#running.finished();
  }
}
