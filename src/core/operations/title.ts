import type { Operation } from './operation.ts';

/** What people call it: `migration/shop-to-b`, and a volume by its claim instead of by the name of a record. */
export function operationTitle({ noun, ref, facts }: Operation): string {
  return `${noun}/${facts.volume ?? ref.name}`;
}
