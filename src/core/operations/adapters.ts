import { AppError } from '../../base/index.ts';
import type { Adapter } from './adapter.ts';
import { backupAdapter } from './backup.ts';
import { restoreAdapter } from './restore.ts';

/** Every kind that is shown as an operation. A new kind needs an adapter and a line here. */
export const ADAPTERS: readonly Adapter[] = [backupAdapter, restoreAdapter];

/** By `kind`, as in an object or an operation's id. */
export function adapterFor(kind: string): Adapter {
  const wanted = kind.toLowerCase();
  const found = ADAPTERS.find(({ type }) => type.kind.toLowerCase() === wanted);
  if (found !== undefined) return found;
  const known = ADAPTERS.map(({ type }) => type.kind).join(', ');
  throw new AppError('notFound', `find operations of kind ${JSON.stringify(kind)}: there are only ${known}`);
}
