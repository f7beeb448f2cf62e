import { scalarTextAt, type ApiObject } from '../object/index.ts';
import type { RegistryDeps } from './deps.ts';

const KEPT_MS = 3_600_000;
const MOST_AT_ONCE = 1000;

/** Events are kept for an hour after they were last seen, as the real server keeps them. */
export async function expireEvents(deps: RegistryDeps): Promise<void> {
  const oldest = deps.now() - KEPT_MS;
  const expired = deps.store.list('events').filter(({ object }) => lastSeen(object) < oldest);
  let committed: Promise<void> | undefined;
  for (const stored of expired.slice(0, MOST_AT_ONCE)) committed = deps.store.remove('events', stored.copy()).committed;
  // A full disk keeps the events; the next round tries again.
  await committed?.catch(() => undefined);
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
