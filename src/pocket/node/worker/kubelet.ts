import { isAppError, messageOf } from '../../../base/index.ts';
import { CONFIG_MAPS, NODES, PODS, SECRETS, type Pod } from '../../controllers/kinds/index.ts';
import { NODE_NAME } from '../../controllers/node-name.ts';
import { isGoing } from '../../controllers/pod-state.ts';
import type { Change, Running } from '../../controllers/ports.ts';
import type { WorkerDeps } from '../container/index.ts';
import { PodWorker } from './pod-worker.ts';
import { referencesOf } from './references.ts';

/** When the cluster stops, every process has so long to end by itself. */
const STOP_GRACE_MS = 1000;

/** Has a worker for every pod of the node. */
export class Kubelet implements Running {
  readonly #deps: WorkerDeps;
  readonly #workers = new Map<string, PodWorker>();
  readonly #going = new Set<Promise<void>>();
  readonly #stops: (() => void)[];
  #isStarted = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    const { client } = deps;
    this.#stops = [
      client.subscribe(PODS, (change) => {
        this.#follow(change);
      }),
      client.subscribe(CONFIG_MAPS, ({ namespace, name }) => {
        this.#refresh(namespace, `configmaps/${name}`);
      }),
      client.subscribe(SECRETS, ({ namespace, name }) => {
        this.#refresh(namespace, `secrets/${name}`);
      }),
    ];
    this.#isStarted = true;
  }

  worker(uid: string): PodWorker | undefined {
    return this.#workers.get(uid);
  }

  workers(): Iterable<PodWorker> {
    return this.#workers.values();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    const workers = [...this.#workers.values()].map((worker) => worker.close(STOP_GRACE_MS));
    await Promise.all([...workers, ...this.#going]);
  }

  #follow({ type, object }: Change<Pod>): void {
    const { uid = '' } = object.metadata;
    const worker = this.#workers.get(uid);
    if (type === 'DELETED') {
      if (worker === undefined) return;
      this.#workers.delete(uid);
      const gone = worker.vanish().finally(() => this.#going.delete(gone));
      this.#going.add(gone);
    } else if (worker !== undefined) worker.update(object);
    else if (object.spec.nodeName === NODE_NAME) this.#workers.set(uid, new PodWorker(object, this.#deps));
    else this.#letGo(object);
  }

  /** Nobody else would let go of a pod whose node does not exist. */
  #letGo(pod: Pod): void {
    const { client, log } = this.#deps;
    const { namespace = '', name, uid = '', deletionGracePeriodSeconds } = pod.metadata;
    const { nodeName = '' } = pod.spec;
    if (nodeName === '' || !isGoing(pod) || deletionGracePeriodSeconds === 0) return;
    if (client.get(NODES, '', nodeName) !== undefined) return;
    client.delete(PODS, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } }).catch((error: unknown) => {
      if (!isAppError(error, 'notFound', 'conflict')) {
        log.warn('letting go of a pod failed', { namespace, name, err: messageOf(error) });
      }
    });
  }

  #refresh(namespace: string, reference: string): void {
    if (!this.#isStarted) return;
    for (const worker of this.#workers.values()) {
      const { pod } = worker;
      if (pod.metadata.namespace === namespace && referencesOf(pod).has(reference)) worker.refresh();
    }
  }
}
