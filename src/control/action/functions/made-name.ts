import { sha256Hex } from '../../../base/index.ts';
import type { FunctionContext } from './function.ts';

/** As many letters as the API server makes up. */
const LETTERS = 5;

/** A name for what a phase makes: upstream's end at random, ours is the same after a restart. */
export function madeName({ actionSet, ref }: FunctionContext, start: string): string {
  const hash = sha256Hex([actionSet.metadata.uid, ref.action, ref.phase, start].join('/'));
  return `${start}${hash.slice(0, LETTERS)}`;
}
