import { AppError, type Clock } from '../base/index.ts';
import { Seal } from './auth/seal.ts';
import type { ClusterPort } from './ports.ts';
import type { Reply } from './http/reply.ts';

/** One object that whoever has the link may read until it expires. */
interface Link {
  cluster: string;
  location: string;
  key: string;
  until: number;
}

/** Links to single objects, for stores that have no address of their own. A link is sealed, so nothing of it is kept. */
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
  create(link: Omit<Link, 'until'>, seconds: number): string {
    return `/download/${this.#seal.close({ ...link, until: this.#clock.now() + seconds * 1000 })}`;
  }

  async serve(token: string, signal: AbortSignal): Promise<Reply> {
    const { cluster, location, key, until } = this.#open(token);
    if (this.#clock.now() >= until) throw new AppError('gone', 'download: the link has expired, ask for a new one');
    const found = this.#clusters.get(cluster);
    if (found === undefined)
      throw new AppError('notFound', 'download: the cluster of this link is not served any more');
    const { store } = await found.stores.open(location, signal);
    const { body, size } = await store.get(key, { signal });
    return {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': 'attachment',
      },
      stream: body,
    };
  }

  #open(token: string): Link {
    const content = this.#seal.open(token) as Partial<Link> | undefined;
    const { cluster, location, key, until } = content ?? {};
    if (cluster !== undefined && location !== undefined && key !== undefined && until !== undefined) {
      return { cluster, location, key, until };
    }
    throw new AppError('forbidden', 'download: this is no link of this server');
  }
}
