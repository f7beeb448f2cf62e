import type { ObjectStore } from '../store/index.ts';
import type { TypeTable } from './type-table.ts';

export interface RegistryDeps {
  store: ObjectStore;
  types: TypeTable;
  /** Milliseconds since 1970. */
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  newUid: () => string;
  /** The first half of the addresses of services, such as `10.96.`. */
  servicePrefix: string;
}

/** As the API writes times: RFC 3339, UTC, seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
