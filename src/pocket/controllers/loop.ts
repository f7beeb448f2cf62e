import { messageOf } from '../../base/index.ts';
import type { ApiObject } from '../apiserver/object/index.ts';
import type { Change, ControllerDeps, Running, TypeOf } from './ports.ts';
import { WorkQueue } from './work-queue.ts';

export interface ObjectKey {
  /** Empty for cluster-scoped kinds. */
  namespace: string;
  name: string;
}

/** A kind to follow, and which keys a change of one of its objects concerns. */
export interface Watch {
  subscribe(deps: ControllerDeps, add: (key: string) => void): () => void;
}

/** One controller: what it follows, and how it makes one key right. Level-triggered: a key says where to look, not why. */
export interface Controller {
  name: string;
  watches: readonly Watch[];
  /** Returns the milliseconds after which to look again, when time alone matters. */
  reconcile(key: ObjectKey): Promise<number | undefined>;
}

export function keyOf({ namespace, name }: { namespace?: string | undefined; name: string }): string {
  return `${namespace ?? ''}/${name}`;
}

/** Follows one kind. Without `keys` a change concerns the object itself. */
export function watch<T extends ApiObject>(type: TypeOf<T>, keys?: (change: Change<T>) => Iterable<string>): Watch {
  return {
    subscribe: (deps, add) =>
      deps.client.subscribe(type, (change) => {
        try {
          for (const key of keys?.(change) ?? [keyOf(change)]) add(key);
        } catch (error) {
          // A commit tells its listeners one after the other; none may keep the others from hearing.
          deps.log.error('mapping a change to keys failed', { kind: type.kind, err: messageOf(error) });
        }
      }),
  };
}

export function runController(controller: Controller, deps: ControllerDeps): Running {
  const queue = new WorkQueue({
    clock: deps.clock,
    log: deps.log.child({ controller: controller.name }),
    reconcile: (key) => {
      const slash = key.indexOf('/');
      return controller.reconcile({ namespace: key.slice(0, slash), name: key.slice(slash + 1) });
    },
  });
  const stops = controller.watches.map((one) =>
    one.subscribe(deps, (key) => {
      queue.add(key);
    }),
  );
  return {
    close: () => {
      for (const stop of stops) stop();
      return queue.close();
    },
  };
}
