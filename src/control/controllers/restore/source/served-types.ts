import {
  findKind,
  type ApiResource,
  type CallOptions,
  type Discovery,
  type KubeClient,
} from '../../../../edge/kube/index.ts';
import { groupResourceOf, resourceNames, type ResourceNames } from '../../../../core/selection/index.ts';

/** What the target cluster serves; discovered for every restore, and again when it got new types. */
export class ServedTypes {
  readonly #ask: () => Promise<Discovery>;
  #discovery: Discovery;
  #byName: ReadonlyMap<string, ApiResource>;
  #names: ResourceNames;

  private constructor(ask: () => Promise<Discovery>, discovery: Discovery) {
    this.#ask = ask;
    this.#discovery = discovery;
    this.#byName = index(discovery);
    this.#names = resourceNames(discovery.resources);
  }

  static async discover(kube: Pick<KubeClient, 'discover'>, options: CallOptions): Promise<ServedTypes> {
    const ask = (): Promise<Discovery> => kube.discover(options);
    return new ServedTypes(ask, await ask());
  }

  async refresh(): Promise<void> {
    this.#discovery = await this.#ask();
    this.#byName = index(this.#discovery);
    this.#names = resourceNames(this.#discovery.resources);
  }

  get names(): ResourceNames {
    return this.#names;
  }

  /** Groups that did not answer: their types are unknown, which is not the same as absent. */
  get silent(): string[] {
    return this.#discovery.failures.map(({ group, version }) => `${group}/${version}`);
  }

  serves(groupResource: string): boolean {
    return this.#byName.has(groupResource);
  }

  /** In the version that the cluster prefers. */
  find(groupResource: string): ApiResource | undefined {
    return this.#byName.get(groupResource);
  }

  kindOf(groupResource: string): string | undefined {
    return this.find(groupResource)?.kind;
  }

  /** The type of an object that names its own version; undefined if the cluster does not serve that. */
  typeOf(apiVersion: string, kind: string): ApiResource | undefined {
    return findKind(this.#discovery, apiVersion, kind);
  }

  versionsOf(groupResource: string): string[] {
    return this.#discovery.resources
      .filter((type) => groupResourceOf(type) === groupResource)
      .map((type) => type.version);
  }
}

/** Only types that can be created can be restored. */
function index({ resources }: Discovery): Map<string, ApiResource> {
  const types = new Map<string, ApiResource>();
  for (const type of resources) {
    const name = groupResourceOf(type);
    if (type.verbs.includes('create') && (type.preferred || !types.has(name))) types.set(name, type);
  }
  return types;
}
