import { DEPLOYMENT } from '../../api/index.ts';
import { AppError, valueAt } from '../../base/index.ts';
import { firstAborted, Reflector, type Part, type ReflectorDeps } from '../../control/runtime/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

/** Two that answer the same objects would undo each other's work, so Headway ends as soon as it sees a running Velero. */
export class VeleroGuard implements Part {
  readonly name = 'velero guard';
  readonly ready: Promise<void>;
  readonly #reflector: Reflector;
  readonly #namespace: string;

  constructor(namespace: string, deps: ReflectorDeps) {
    this.#namespace = namespace;
    this.#reflector = new Reflector(
      { target: { type: DEPLOYMENT, namespace }, fieldSelector: 'metadata.name=velero' },
      deps,
    );
    this.ready = this.#reflector.ready.then(() => {
      if ([...this.#reflector.cache.values()].some(isRunning)) throw besideVelero(this.#namespace);
    });
    // The manager waits for it; whoever does not has `run`.
    this.ready.catch(() => undefined);
  }

  async run(signal: AbortSignal): Promise<void> {
    const found = new AbortController();
    const stop = AbortSignal.any([signal, found.signal]);
    this.#reflector.cache.subscribe((change) => {
      if (change.type !== 'deleted' && isRunning(change.object)) found.abort();
    });
    const watching = this.#reflector.run(stop);
    await firstAborted([stop]);
    await watching;
    if (found.signal.aborted) throw besideVelero(this.#namespace);
  }
}

function isRunning(deployment: KubeObject): boolean {
  return deployment.metadata.name === 'velero' && (valueAt(deployment['spec'], 'replicas') ?? 1) !== 0;
}

function besideVelero(namespace: string): AppError {
  return new AppError('conflict', `Velero runs in namespace ${namespace}, and two must not answer the same objects`, {
    details: {
      hint: `Stop it with: kubectl -n ${namespace} scale deployment velero --replicas=0\nOr, at your own risk: headway server --force-beside-velero`,
    },
  });
}
