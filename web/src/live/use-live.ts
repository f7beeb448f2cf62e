import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Noun, Operation } from '../../../src/core/operations/index.ts';
import { useServices } from '../server/services.ts';
import type { LiveState } from './live-store.ts';
import { nounOf } from './noun-of.ts';

export function useLive<T>(select: (state: LiveState) => T): T {
  const { store } = useServices();
  return useSyncExternalStore(
    store.subscribe,
    useCallback(() => select(store.state()), [store, select]),
  );
}

const byId = (state: LiveState): ReadonlyMap<string, Operation> => state.operations.byId;

interface Chosen {
  noun?: Noun | undefined;
  /** Without those that stand below another one of these. */
  isTop?: boolean;
}

/** Those of the chosen cluster that are called so, the newest first. */
export function useOperations(cluster: string | undefined, { noun, isTop = false }: Chosen = {}): Operation[] {
  const operations = useLive(byId);
  return useMemo(() => {
    const chosen = [...operations.values()].filter(
      (operation) =>
        (cluster === undefined || operation.cluster === cluster) &&
        (noun === undefined || operation.noun === noun) &&
        !(isTop && isBelow(operation, noun)),
    );
    return chosen.sort(newestFirst);
  }, [operations, cluster, noun, isTop]);
}

function isBelow({ parent }: Operation, noun: Noun | undefined): boolean {
  return parent !== undefined && (noun === undefined || nounOf(parent) === noun);
}

export function useOperation(id: string): Operation | undefined {
  return useLive(useCallback((state: LiveState) => state.operations.byId.get(id), [id]));
}

/** Times of Kubernetes are whole seconds in one format, so their texts sort as the times do. */
function newestFirst(a: Operation, b: Operation): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

const lightOf = (state: LiveState): LiveState['light'] => state.light;

/** Since when what is shown of a cluster is old; undefined while it is as new as can be. */
export function useOldSince(cluster: string): number | undefined {
  const light = useLive(lightOf);
  const unseen = useLive(useCallback((state: LiveState) => state.unseen.get(cluster), [cluster]));
  return light.kind === 'reconnecting' ? light.since : unseen;
}

const aheadOf = (state: LiveState): number => state.aheadMs;

/** The time as the server has it, for what is shown relative to it: the clock of a phone may be wrong. */
export function useNow(everyMs = 1000): number {
  const ahead = useLive(aheadOf);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs]);
  return now + ahead;
}
