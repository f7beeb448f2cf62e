import type { KubeClient } from '../../edge/kube/index.ts';
import type { Login } from './callers.ts';

const MAX_CLIENTS = 200;

/** A client for each user of each cluster, kept for the next request; the one that was not used for longest is closed. */
export class UserClients {
  readonly #clients = new Map<string, KubeClient>();

  of({ cluster, token, key }: Login): KubeClient {
    if (token === undefined) return cluster.kube;
    const client = this.#clients.get(key) ?? cluster.as(token);
    this.#clients.delete(key);
    this.#clients.set(key, client);
    const [oldest] = this.#clients;
    if (this.#clients.size > MAX_CLIENTS && oldest !== undefined) {
      this.#clients.delete(oldest[0]);
      void oldest[1].close();
    }
    return client;
  }

  /** The cluster does not take this user. */
  async forget({ key }: Login): Promise<void> {
    const client = this.#clients.get(key);
    this.#clients.delete(key);
    await client?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
    this.#clients.clear();
  }
}
