import { AppError } from '../../../base/index.ts';
import { PODS } from '../../controllers/kinds/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';

/** Without the network's own address and the last one. */
const COUNT = 65_534;

/** Addresses for pods, each given once. What is taken is read from the pods, so a restart knows it again. */
export class PodAddresses {
  readonly #byPod = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #stop: () => void;
  readonly #prefix: string;
  #next = 0;

  /** `prefix` is the first half of all addresses, such as `10.244.`. */
  constructor(client: ControlClient, prefix: string) {
    this.#prefix = prefix;
    this.#stop = client.subscribe(PODS, ({ type, object }) => {
      const uid = object.metadata.uid ?? '';
      if (type === 'DELETED') this.#release(uid);
      else if (object.status?.podIP?.startsWith(prefix) === true) this.#take(uid, object.status.podIP);
    });
  }

  close(): void {
    this.#stop();
  }

  /** The same address for the same pod, however often it is asked. */
  of(uid: string): string {
    const known = this.#byPod.get(uid);
    if (known !== undefined) return known;
    for (let i = 0; i < COUNT; i += 1) {
      // Going round lets an address rest before it is given again.
      const number = 1 + ((this.#next + i) % COUNT);
      const address = `${this.#prefix}${number >> 8}.${number & 255}`;
      if (this.#taken.has(address)) continue;
      this.#next = number;
      this.#take(uid, address);
      return address;
    }
    throw new AppError(
      'conflict',
      `giving pod ${uid} an address of ${this.#prefix}0.0/16 failed: all ${COUNT} are taken`,
    );
  }

  #take(uid: string, address: string): void {
    this.#byPod.set(uid, address);
    this.#taken.add(address);
  }

  #release(uid: string): void {
    const address = this.#byPod.get(uid);
    if (address === undefined) return;
    this.#byPod.delete(uid);
    this.#taken.delete(address);
  }
}
