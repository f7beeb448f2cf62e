import { BackupStorageLocation, VolumePluginBackup } from '../../../../api/index.ts';
import { AppError, messageOf, objectAt, sha256Hex, textAt, type JsonObject } from '../../../../base/index.ts';
import { addMeasures, estimate, UNKNOWN, type Measure } from '../../../../core/progress/index.ts';
import {
  chooseVolumes,
  fileSystemVolumes,
  type Pod,
  type VolumeAnswer,
  type VolumeChoice,
} from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS } from '../../../runtime/objects/index.ts';
import type { ReservedTurn } from '../../../volumes/index.ts';
import type { Collected } from '../items/collected.ts';
import { NativeSnapshot } from './native-snapshot.ts';
import { VolumeReader } from './read-volumes.ts';
import { SeenVolumes, slimPod } from './seen-volumes.ts';
import { VolumeCopy, type CopiedVolume } from './volume-copy.ts';
import type { VolumeContext } from './volume-context.ts';
import { removeVolumeObjects, volumeObjectsOf } from './volume-objects.ts';

/** The volumes of one pod, which are copied between its hooks. */
export interface PodCopies {
  /** Whether it has to wait for a mover before its pre hooks: nothing but the copy itself may hold a pod frozen. */
  needsTurn: boolean;
  /** Waits until a mover could start, and need not wait for another one's repository. */
  turn(signal: AbortSignal): Promise<void>;
  /** Resolves when all have ended, however. */
  start(): Promise<void>;
  /** The pod is not in the backup after all, or has started. */
  drop(): void;
}

/** What is known about the volumes of a backup when all copies have ended. */
export interface VolumesAtEnd {
  answer: VolumeAnswer;
  copied: readonly CopiedVolume[];
}

type Job = VolumeCopy | NativeSnapshot;

/** Copies the volumes of a backup: each as soon as its pod's pre hooks have run, beside everything else. */
export class BackupVolumes {
  readonly #context: VolumeContext;
  readonly #seen = new SeenVolumes();
  readonly #reader: VolumeReader;
  readonly #jobs: Job[] = [];
  readonly #work = new Map<string, Promise<CopiedVolume>>();
  /** Claims of pods that wait for their turn: nobody else may copy them outside of those pods' hooks. */
  readonly #promised = new Set<string>();
  #earlier: ReadonlyMap<string, KubeObject> = new Map();

  constructor(context: Omit<VolumeContext, 'onProgress'>) {
    this.#context = {
      ...context,
      onProgress: () => {
        this.#tell();
      },
    };
    this.#reader = new VolumeReader(this.#context, this.#seen);
  }

  /** Claims in the backup. */
  get size(): number {
    return this.#seen.claims.length;
  }

  get isCopying(): boolean {
    return this.#jobs.length > 0;
  }

  see(item: Collected): void {
    this.#seen.see(item);
  }

  /** Finds what earlier attempts have copied. */
  async open(): Promise<void> {
    const { operation, signal } = this.#context;
    if (operation.attempt > 1) this.#earlier = await volumeObjectsOf(VolumePluginBackup, this.#context, signal);
  }

  /** What is to be copied of a pod; undefined if nothing is. */
  async forPod(
    object: JsonObject,
    name: { namespace: string; name: string },
    hasHooks: boolean,
  ): Promise<PodCopies | undefined> {
    const pod = slimPod({ ...name, object });
    if (!this.#mayConcern(pod)) return undefined;
    const claims = (await this.#reader.claimsOf(pod)).filter(
      (claim) => !this.#work.has(keyOf(claim)) && !this.#promised.has(keyOf(claim)),
    );
    await Promise.all(claims.map((claim) => this.#reader.volumeOf(claim.object)));
    const { choices } = chooseVolumes({ ...this.#question(), claims, pods: [pod] });
    const wanted = choices.filter((choice) => choice.kind !== 'none');
    return wanted.length === 0 ? undefined : this.#podCopies(wanted, pod, hasHooks);
  }

  /** Everything that is left is copied, and everything has ended. */
  async finish(): Promise<VolumesAtEnd> {
    const { claims, pods } = this.#seen;
    if (this.#context.policies !== undefined || this.#isWanted) {
      for (const claim of claims) await this.#reader.volumeOf(claim.object);
    }
    const answer = chooseVolumes({ ...this.#question(), claims, pods });
    for (const choice of answer.choices) if (choice.kind !== 'none') void this.#start(choice, false);
    const copied = await Promise.all(this.#work.values());
    return { answer, copied };
  }

  /** Reads what the results tell about a volume whose data is not in the backup. */
  async describe(choice: VolumeChoice): Promise<JsonObject | undefined> {
    return await this.#reader.volumeOf(choice.claim.object);
  }

  /** Waits until nothing is copied any more; the context's signal has ended it. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#work.values());
  }

  /** Removes the objects of all volumes, and what kopia stored of them: the backup is not kept. */
  async discard(signal: AbortSignal): Promise<void> {
    const { operation, deps, location, findings } = this.#context;
    const names = this.#jobs.flatMap((job) => (job instanceof NativeSnapshot ? job.names : [job.id]));
    const ids = new Set([...this.#earlier.keys(), ...names]);
    const copied = await this.#copiedObjects();
    // To clear away after what never ran would wait for the same obstacle.
    const silent = new Set(this.#jobs.filter((job) => job instanceof VolumeCopy && !job.hasBegun).map(({ id }) => id));
    const stored = [...this.#earlier.values(), ...copied.filter(({ metadata }) => !silent.has(metadata.name))];
    const kopia = stored.filter((object) => textAt(object, 'spec', 'plugin') === 'kopia');
    const namespaces = Map.groupBy(kopia, (object) => namespaceOf(object));
    for (const [repositoryNamespace, objects] of namespaces) {
      const volumes = [...new Set(objects.map(({ metadata }) => metadata.name))].sort();
      const id = discardId(operation.object, repositoryNamespace, volumes);
      try {
        const owner = { type: BackupStorageLocation, object: await this.#locationObject(signal) };
        await deps.movers.delete(
          { id, owner, location, repositoryNamespace, snapshotIDs: [], volumes },
          {
            signal,
            lasting: operation.lasting,
            isCanceled: () => true,
            api: (until) => operation.api(until),
            onWaiting: (cause) => operation.run.wait(cause, 'slow'),
          },
        );
      } catch (error) {
        const text = `snapshots of a backup that is not kept could not be removed: ${messageOf(error)}`;
        findings.warn({ namespace: repositoryNamespace }, text);
        for (const id of volumes) ids.delete(id);
      }
    }
    for (const id of ids) await removeVolumeObjects(id, this.#context, signal);
  }

  /** The Backup may be gone, and the cluster would remove at once what belongs to it. */
  async #locationObject(signal: AbortSignal): Promise<KubeObject> {
    const { operation, deps, location } = this.#context;
    const target = { type: BackupStorageLocation, namespace: deps.namespace, name: location.name };
    const options = { signal, deadlineMs: CALL_DEADLINE_MS };
    return await operation.api(signal).call(() => deps.kube.get(target, options));
  }

  /** Whether anything may be copied at all; most backups ask for nothing, and should not pay for it. */
  get #isWanted(): boolean {
    const { spec, nativePlugin } = this.#context;
    return spec.defaultVolumesToFsBackup === true || nativePlugin !== undefined;
  }

  #mayConcern({ object }: Pod): boolean {
    if (fileSystemVolumes(object, true).length === 0) return false;
    return this.#isWanted || this.#context.policies !== undefined || fileSystemVolumes(object, false).length > 0;
  }

  #question() {
    const { spec, policies, nativePlugin } = this.#context;
    return {
      ...{ policies, nativePlugin, persistentVolumes: this.#seen.volumes },
      areFilesWanted: spec.defaultVolumesToFsBackup === true,
      snapshotVolumes: spec.snapshotVolumes ?? undefined,
    };
  }

  #podCopies(choices: readonly VolumeChoice[], pod: Pod, hasHooks: boolean): PodCopies {
    const copies = choices.filter(({ kind }) => kind === 'copy');
    const others = choices.filter(({ kind }) => kind !== 'copy');
    if (!hasHooks || copies.length === 0) {
      return {
        needsTurn: false,
        turn: () => Promise.resolve(),
        start: async () => {
          await Promise.allSettled(choices.map((one) => this.#start(one, hasHooks)));
        },
        drop: nothing,
      };
    }
    const node = textAt(pod.object, 'spec', 'nodeName');
    const promised = choices.map(({ claim }) => keyOf(claim));
    for (const key of promised) this.#promised.add(key);
    let first: ReservedTurn | undefined;
    const drop = (): void => {
      first?.leave();
      first?.repository?.end();
      first = undefined;
      for (const key of promised) this.#promised.delete(key);
    };
    return {
      needsTurn: true,
      turn: async (signal) => {
        first = await this.#reserve(node, pod, signal);
      },
      start: async () => {
        const turn = first ?? { leave: nothing };
        first = undefined;
        await Promise.allSettled([
          ...others.map((one) => this.#start(one, hasHooks)),
          this.#startFrozen(copies, turn, node),
        ]);
      },
      drop,
    };
  }

  /** Volumes of a pod that stands still: in the turn that it has, and in those that are free, but none waits for one. */
  async #startFrozen(
    choices: readonly VolumeChoice[],
    { leave, repository }: ReservedTurn,
    node: string | undefined,
  ): Promise<void> {
    const { movers } = this.#context.deps;
    const turns = [leave];
    while (turns.length < choices.length) {
      const more = movers.reserveNow(node);
      if (more === undefined) break;
      turns.push(more);
    }
    // All of them begin now, so that nobody else copies one of them; each goes on when it has a turn.
    const gates = choices.map((choice) => {
      const gate = Promise.withResolvers<ReservedTurn>();
      return { gate, work: this.#start(choice, true, gate.promise) };
    });
    const inTurn = async (end: () => void): Promise<void> => {
      for (let next = gates.shift(); next !== undefined; next = gates.shift()) {
        next.gate.resolve({ leave: nothing, repository });
        await Promise.allSettled([next.work]);
      }
      end();
    };
    await Promise.all(turns.map(inTurn));
    // All of them are in one namespace, and so in one repository.
    repository?.end();
  }

  /** Before its pre hooks: nothing but the copy itself may hold a pod frozen. */
  async #reserve(node: string | undefined, { namespace, name }: Pod, signal: AbortSignal): Promise<ReservedTurn> {
    const { deps, operation, location } = this.#context;
    const what = `pod ${namespace}/${name} waits for a mover before it is frozen`;
    const wait = operation.run.wait(new AppError('timeout', what), 'slow');
    let leave: (() => void) | undefined;
    try {
      leave = await deps.movers.reserve(node, signal);
      const repository = await deps.movers.reserveRepository(location, namespace, signal);
      return { leave, repository };
    } catch (error) {
      leave?.();
      throw error;
    } finally {
      wait.end();
    }
  }

  /** With a `turn` it needs none of its own, and goes on when that comes. */
  #start(choice: VolumeChoice, hasHooks: boolean, turn?: Promise<ReservedTurn>): Promise<CopiedVolume> {
    const key = keyOf(choice.claim);
    const known = this.#work.get(key);
    if (known !== undefined) return known;
    const work = this.#begin(choice, hasHooks, turn);
    // Whoever finishes or settles hears of it.
    work.catch(() => undefined);
    this.#work.set(key, work);
    return work;
  }

  async #begin(choice: VolumeChoice, hasHooks: boolean, turn?: Promise<ReservedTurn>): Promise<CopiedVolume> {
    const volume = this.#seen.volumes.get(choice.volume);
    if (choice.kind === 'snapshot') {
      const native = new NativeSnapshot(choice, volume, this.#context);
      this.#jobs.push(native);
      const earlier = [...this.#earlier.values()].filter(isOf(choice.volume));
      if (!hasHooks) return await native.take(earlier);
      // As below. What the plugin took then is its own to remove, as whenever an object goes.
      for (const { metadata } of earlier) await removeVolumeObjects(metadata.name, this.#context, this.#context.signal);
      return await native.take([]);
    }
    const copy = new VolumeCopy(choice as Extract<VolumeChoice, { kind: 'copy' }>, volume, this.#context);
    this.#jobs.push(copy);
    this.#tell();
    const reserved = await turn;
    return await copy.copy(this.#earlier.get(copy.id), { turn: reserved, wasThawed: hasHooks });
  }

  async #copiedObjects(): Promise<KubeObject[]> {
    const ended = await Promise.allSettled(this.#work.values());
    return ended.flatMap((one) =>
      one.status === 'fulfilled' && one.value.podVolumeBackup !== undefined
        ? [one.value.pluginBackup as unknown as KubeObject]
        : [],
    );
  }

  /** The sum over all volumes; it is unknown while one of them is. */
  #tell(): void {
    const measures = this.#jobs.map(({ progress }): Measure => {
      const { bytesDone, totalBytes } = progress ?? { bytesDone: 0 };
      const total = totalBytes === undefined ? UNKNOWN : estimate(totalBytes);
      return { unit: 'bytes', done: bytesDone, total };
    });
    const [sum] = addMeasures(measures);
    const { operation } = this.#context;
    if (sum !== undefined) operation.run.feed({ kind: 'measure', unit: 'bytes', done: sum.done, total: sum.total });
  }
}

const nothing = (): void => undefined;

function keyOf({ namespace, name }: { namespace: string; name: string }): string {
  return `${namespace}/${name}`;
}

/** The name may be as long as names can be; the rest tells movers apart that belong to one location. */
function discardId(
  { metadata: { name, uid = '' } }: KubeObject,
  namespace: string,
  volumes: readonly string[],
): string {
  const hash = sha256Hex(`${uid}/${namespace}/${volumes.join('/')}`).slice(0, 10);
  return `${name.slice(0, 200).replace(/[.-]+$/, '')}-discard-${hash}`;
}

function isOf(volume: string): (object: KubeObject) => boolean {
  return (object) => textAt(object, 'spec', 'volume') === volume;
}

function namespaceOf(object: KubeObject): string {
  const claim = objectAt(object, 'metadata', 'annotations')['headway.io/claim'];
  return typeof claim === 'string' ? (claim.split('/')[0] ?? '') : '';
}
