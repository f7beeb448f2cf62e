import type { CancelSignal, Clock, Log } from '../../base/index.ts';
import { createOpenApi, type OpenApi } from '../openapi/index.ts';
import { CrdLifecycle, expireEvents, TypeTable, type RegistryDeps } from './registry/index.ts';
import type { PodConnections } from './connect/index.ts';
import type { ReviewDeps } from './reviews/index.ts';
import type { ObjectStore } from './store/index.ts';
import type { AccountTokens } from './tokens/index.ts';
import { WatchHub } from './watch/index.ts';

export interface ApiServerDeps {
  store: ObjectStore;
  clock: Clock;
  log: Log;
  random: () => number;
  newUid: () => string;
  identifyToken: ReviewDeps['identifyToken'];
  issueToken: AccountTokens['issue'];
  /** The first half of the addresses of services; that of a usual cluster unless given. */
  servicePrefix?: string;
}

const EXPIRY_EVERY_MS = 60_000;

/** The API without a transport: what HTTP and the in-process client both stand on. */
export class ApiServer implements ReviewDeps {
  readonly store: ObjectStore;
  readonly types: TypeTable;
  readonly registry: RegistryDeps;
  readonly hub: WatchHub;
  readonly now: () => number;
  readonly identifyToken: ReviewDeps['identifyToken'];
  readonly issueToken: AccountTokens['issue'];
  readonly userUid: string;
  /** The node, as soon as it is there and has processes to talk to. */
  connections: PodConnections | undefined;
  readonly #clock: Clock;
  #openApi: { revision: number; documents: OpenApi } | undefined;

  constructor(deps: ApiServerDeps) {
    const { store, clock } = deps;
    this.store = store;
    this.types = new TypeTable();
    this.now = () => clock.now();
    const { random, newUid, servicePrefix = '10.96.' } = deps;
    this.registry = { store, types: this.types, now: this.now, random, newUid, servicePrefix };
    this.hub = new WatchHub(store, this.now);
    this.identifyToken = deps.identifyToken;
    this.issueToken = deps.issueToken;
    this.userUid = deps.newUid();
    this.#clock = clock;
    new CrdLifecycle(this.registry, deps.log, (storage) => {
      this.hub.closeResource(storage);
    }).start();
  }

  /** Documents of what is served now; unchanged ones are kept from the last time. */
  get openApi(): OpenApi {
    const { revision } = this.types;
    if (this.#openApi?.revision !== revision) {
      const resources = this.types.all.map((resource) => {
        const { group, version, kind, plural, namespaced, verbs, subresources, custom } = resource;
        const schema = custom?.openApiSchema;
        const described = { group, version, kind, plural, namespaced, verbs, subresources };
        return schema === undefined ? described : { ...described, schema };
      });
      this.#openApi = { revision, documents: createOpenApi(resources, this.#openApi?.documents) };
    }
    return this.#openApi.documents;
  }

  /** Everything that happens with time: bookmarks, ends of watches, old events. Ends with the signal. */
  async run(signal: CancelSignal): Promise<void> {
    await Promise.all([this.hub.run(this.#clock, signal), this.#expire(signal)]);
  }

  async #expire(signal: CancelSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#clock.sleep(EXPIRY_EVERY_MS, signal);
      } catch {
        // Only the signal ends the sleep early.
        return;
      }
      await expireEvents(this.registry);
    }
  }
}
