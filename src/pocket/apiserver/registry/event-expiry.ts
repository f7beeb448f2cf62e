import { scalarTextAt, type ApiObject } from '../object/index.ts';
import type { RegistryDeps } from './deps.ts';

const KEPT_MS = 3_600_000;
/** In one transaction; others may write in between. */
const MAX_AT_ONCE = 1000;

/** Events are kept for an hour after they were last seen, as the real server keeps them. */
export async function expireEvents({ store, now }: RegistryDeps): Promise<void> {
  for (;;) {
    const oldest = now() - KEPT_MS;
    const expired = store.list('events').filter(({ object }) => lastSeen(object) < oldest);
    if (expired.length === 0) return;
    const removed = expired.slice(0, MAX_AT_ONCE).map((stored) => store.remove('events', stored.copy()));
    try {
      await removed.at(-1)?.committed;
    } catch {
      // A full disk keeps the events; the next round tries again.
      return;
    }
  }
}

function lastSeen(event: Readonly<ApiObject>): number {
  const times = [
    scalarTextAt(event, 'series', 'lastObservedTime'),
    scalarTextAt(event, 'lastTimestamp'),
    scalarTextAt(event, 'eventTime'),
    event.metadata.creationTimestamp ?? '',
  ];
  return Math.max(...times.map((time) => Date.parse(time)).filter((time) => !Number.isNaN(time)));
}
