import { AppError, isAppError, textAt, type Clock } from '../base/index.ts';
import { DownloadRequest, type ResourceType } from '../api/index.ts';
import { adapterFor } from '../core/operations/index.ts';
import { Seal } from './auth/seal.ts';
import type { ClusterPort } from './ports.ts';
import type { Reply } from './http/reply.ts';

/** One object of the cluster, and no later one of the same name. */
export interface LinkedObject {
  kind: string;
  name: string;
  uid: string;
}

export interface LinkTarget {
  cluster: string;
  /** The DownloadRequest that somebody with the right to make one has made; the link ends with it. */
  request: LinkedObject;
  /** The operation whose file it is; the link ends with it as well. */
  of: LinkedObject;
  location: string;
  key: string;
}

interface Link extends LinkTarget {
  until: number;
}

const MAX_SECONDS = 600;

/**
 * Links to single files, for stores that have no address of their own. A link is sealed, so nothing of it is kept. It
 * opens the one file that it was made for, for minutes, and only while what asked for it and what it belongs to are there.
 */
export class DownloadLinks {
  readonly #seal: Seal;
  readonly #clusters: ReadonlyMap<string, ClusterPort>;
  readonly #clock: Clock;

  constructor(key: Uint8Array, clusters: readonly ClusterPort[], clock: Clock) {
    this.#seal = new Seal(key, 'download');
    this.#clusters = new Map(clusters.map((cluster) => [cluster.name, cluster]));
    this.#clock = clock;
  }

  /** The path of the link, below the address of the server. */
  create(target: LinkTarget, seconds: number): string {
    const until = this.#clock.now() + Math.min(seconds, MAX_SECONDS) * 1000;
    return `/download/${this.#seal.close({ ...target, until })}`;
  }

  async serve(token: string, signal: AbortSignal): Promise<Reply> {
    const link = this.#open(token);
    const cluster = this.#clusters.get(link.cluster);
    if (cluster === undefined || this.#clock.now() >= link.until) throw expired();
    await Promise.all([
      mustBeThere(cluster, DownloadRequest, link.request, signal),
      mustBeThere(cluster, adapterFor(link.of.kind).type, link.of, signal),
    ]);
    const opened = await cluster.stores.open(link.location, signal);
    try {
      const { body, size } = await opened.store.get(link.key, { signal });
      const headers = {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': 'attachment',
      };
      return { headers, stream: lettingGo(opened, body) };
    } catch (error) {
      opened[Symbol.dispose]();
      throw error;
    }
  }

  #open(token: string): Link {
    const content = this.#seal.open(token);
    // What is sealed was written by `create`, of this version or of the one before a restart.
    if (content !== undefined && 'request' in content && 'of' in content) return content as unknown as Link;
    throw new AppError('forbidden', 'download: this is no link of this server');
  }
}

/** The same bytes; the store is let go when they have been read, or are no longer wanted. */
async function* lettingGo(opened: Disposable, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  using _inUse = opened;
  yield* body;
}

/** With the server's own rights: the link itself says nothing about who uses it. */
async function mustBeThere(
  { kube, namespace }: ClusterPort,
  type: ResourceType,
  { name, uid }: LinkedObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    const found = await kube.get({ type, namespace, name }, { signal });
    if (textAt(found, 'metadata', 'uid') === uid) return;
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
  }
  throw expired();
}

function expired(): AppError {
  return new AppError('gone', 'download: the link has expired, ask for a new one');
}
