import { textAt } from '../../../base/index.ts';
import { Controller, type Part } from '../../runtime/index.ts';
import type { Caches } from '../caches.ts';
import type { ControlDeps } from '../ports.ts';
import { Deletions } from './deletion.ts';
import { Expiry } from './expiry.ts';
import { Leftovers } from './leftovers.ts';

// A large backup on a slow store takes long; several must not wait for one.
const WORKERS = 2;
const DEADLINE_MS = 30 * 60_000;

/** Deletion on request, expiry, and the removal of leftovers. */
export function createDeleteControllers(deps: ControlDeps, caches: Caches): Part[] {
  const deletions = new Deletions(deps, caches);
  const expiry = new Expiry(deps, caches);
  const leftovers = new Leftovers(deps, caches);
  return [
    new Controller(
      {
        name: 'delete',
        workers: WORKERS,
        deadlineMs: DEADLINE_MS,
        sources: [{ cache: caches.deleteRequests }],
        reconcile: async (key, signal) => await deletions.reconcile(key, signal),
      },
      deps,
    ),
    new Controller(
      {
        name: 'expiry',
        sources: [
          {
            cache: caches.backups,
            // Not at every step of a running backup.
            keysOf: ({ key, object }) => (textAt(object, 'status', 'expiration') === undefined ? [] : [key]),
          },
        ],
        reconcile: async (key, signal) => await expiry.reconcile(key, signal),
      },
      deps,
    ),
    new Controller(
      {
        name: 'leftovers',
        deadlineMs: DEADLINE_MS,
        sources: [{ cache: caches.locations }],
        reconcile: async (key, signal) => await leftovers.reconcile(key, signal),
      },
      deps,
    ),
  ];
}
