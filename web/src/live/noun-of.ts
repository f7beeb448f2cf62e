import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Noun } from '../../../src/core/operations/index.ts';

/** What the operation with this id is called; undefined for a kind that only a newer server knows. */
export function nounOf(id: string): Noun | undefined {
  return findAdapter(id.split('.')[1] ?? '')?.noun;
}
