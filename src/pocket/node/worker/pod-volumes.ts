import { realpathSync } from 'node:fs';
import { CLAIMS, CONFIG_MAPS, SECRETS, VOLUMES, type Pod } from '../../controllers/kinds/index.ts';
import type { PodPaths, WorkerDeps } from '../container/index.ts';
import { allContainers } from '../pod/index.ts';
import { mountVolume, type MountedVolume } from '../volumes/index.ts';
import { whyNotRunnable } from './runnable.ts';

type Source = Extract<MountedVolume, { kind: 'source' }>;

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 120_000;

/** What a pod has on this machine before any of its containers: its address, its hosts file, its volumes. */
export class PodVolumes {
  readonly #deps: WorkerDeps;
  readonly #paths: PodPaths;
  readonly #sources = new Map<string, Source>();
  #isPrepared = false;
  #isOutdated = false;
  #failures = 0;

  constructor(deps: WorkerDeps, paths: PodPaths) {
    this.#deps = deps;
    this.#paths = paths;
  }

  /** By the name of the volume. */
  get sources(): ReadonlyMap<string, Source> {
    return this.#sources;
  }

  /** The directories of the claims that it mounts. */
  get claims(): string[] {
    const all = `${realpathSync(this.#deps.claimsDir)}/`;
    return [...this.#sources.values()].flatMap(({ path }) => (path.startsWith(all) ? [path] : []));
  }

  get isPrepared(): boolean {
    return this.#isPrepared;
  }

  get retryMs(): number {
    return Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, this.#failures - 1), LONGEST_RETRY_MS);
  }

  /** What they show has changed. */
  outdate(): void {
    this.#isOutdated = true;
  }

  /** False when something is missing that may still come; an event says what. */
  async prepare(pod: Pod, podIP: string): Promise<boolean> {
    if (this.#isPrepared && !this.#isOutdated) return true;
    const isFirst = !this.#isPrepared;
    this.#isOutdated = false;
    // Nobody would look where everything is simulated, and much of it could not be had.
    const isLookedAt = allContainers(pod).some((one) => whyNotRunnable(pod, one, this.#deps) === undefined);
    if (isFirst && isLookedAt) this.#deps.hosts.keep(this.#paths.hosts, pod, podIP);
    for (const volume of isLookedAt ? (pod.spec.volumes ?? []) : []) {
      const mounted = await mountVolume(pod, volume, this.#view(pod, podIP), {
        places: {
          dir: this.#paths.volumes,
          hidden: this.#deps.hidden,
          stores: this.#deps.stores,
          claims: this.#deps.claimsDir,
          isRoot: this.#deps.isRoot,
        },
        stamp: new Date(this.#deps.clock.now()).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '_'),
      });
      if (mounted.kind === 'source') this.#add(pod, volume.name, mounted);
      else if (isFirst) {
        this.#failures += 1;
        const message = `MountVolume.SetUp failed for volume "${volume.name}" : ${mounted.message}`;
        this.#deps.events.record(pod, { type: 'Warning', reason: 'FailedMount', message });
        return false;
      }
    }
    this.#isPrepared = true;
    return true;
  }

  #add(pod: Pod, name: string, source: Source): void {
    if (source.hasEmptyToken && !this.#sources.has(name)) {
      const message = `volume "${name}" has an empty token: a pocket cluster gives none to pods`;
      this.#deps.events.record(pod, { type: 'Warning', reason: 'EmptyToken', message });
    }
    this.#sources.set(name, source);
  }

  #view(pod: Pod, podIP: string): Parameters<typeof mountVolume>[2] {
    const { client, node } = this.#deps;
    const { namespace = '' } = pod.metadata;
    return {
      configMap: (name) => client.get(CONFIG_MAPS, namespace, name),
      secret: (name) => client.get(SECRETS, namespace, name),
      claim: (name) => client.get(CLAIMS, namespace, name),
      volume: (name) => client.get(VOLUMES, '', name),
      podIP,
      node,
    };
  }
}
