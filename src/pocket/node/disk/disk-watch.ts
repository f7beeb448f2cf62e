import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes, messageOf, type Clock, type Log } from '../../../base/index.ts';
import type { Running } from '../../controllers/ports.ts';
import { Reserve } from './reserve.ts';

/** Somebody who has files on the disk and can be asked to go. */
export interface Tenant {
  bytes(): Promise<number>;
  /** Resolves when it has gone, with all files that were its own only. */
  evict(message: string): Promise<void>;
}

interface Room {
  free: number;
  total: number;
}

interface Options {
  /** The cluster's own folder. */
  dir: string;
  clock: Clock;
  log: Log;
  tenants: () => Iterable<Tenant>;
  /** Of the disk with the folder. */
  roomIn?: (dir: string) => Promise<Room>;
}

const MEBIBYTE = 1024 * 1024;
const LOOK_EVERY_MS = 1000;

/** With less than that the disk counts as full: enough for the cluster to write down what it does about it. */
function least({ total }: Room): number {
  return Math.min(64 * MEBIBYTE, total / 20);
}

function reserved({ total }: Room): number {
  return Math.floor(Math.min(8 * MEBIBYTE, total / 16));
}

/** Evicts who has most on a disk that is full, as a kubelet does. */
export class DiskWatch implements Running {
  readonly #options: Options;
  readonly #reserve: Reserve;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    this.#reserve = new Reserve(join(options.dir, 'reserve'));
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#look();
        await clock.sleep(LOOK_EVERY_MS, signal);
      } catch (error) {
        if (!signal.aborted) log.warn('looking after the disk failed', { err: messageOf(error) });
        await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      }
    }
  }

  async #look(): Promise<void> {
    const { dir, log, roomIn = roomOf } = this.#options;
    const room = await roomIn(dir);
    if (room.free >= least(room)) {
      if (room.free >= 2 * least(room) + reserved(room)) await this.#reserve.keep(reserved(room));
      return;
    }
    const largest = await this.#largest();
    if (largest !== undefined && largest.bytes >= least(room)) {
      const had = `${formatBytes(room.free)} were free, and the pod had ${formatBytes(largest.bytes)}`;
      log.warn('the disk is full, a pod has to go', { free: room.free, bytes: largest.bytes });
      await largest.tenant.evict(`The node was low on resource: ephemeral-storage. ${had}.`);
      if ((await roomIn(dir)).free >= least(room)) return;
    }
    // It went to files that stay, or to somebody who is no pod.
    await this.#reserve.give();
  }

  async #largest(): Promise<{ tenant: Tenant; bytes: number } | undefined> {
    let largest: { tenant: Tenant; bytes: number } | undefined;
    for (const tenant of this.#options.tenants()) {
      const bytes = await tenant.bytes();
      if (largest === undefined || bytes > largest.bytes) largest = { tenant, bytes };
    }
    return largest;
  }
}

async function roomOf(dir: string): Promise<Room> {
  const { bsize, bavail, blocks } = await statfs(dir);
  return { free: bsize * bavail, total: bsize * blocks };
}
