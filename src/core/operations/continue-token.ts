import { AppError } from '../../base/index.ts';
import type { SortKey } from './operation-query.ts';

/** Where a page goes on. `like` is a key in the requested order: a token of another order would point anywhere. */
export function readContinue(text: string, like: SortKey | undefined): SortKey {
  const shape = (key: SortKey): string => key.map((part) => typeof part).join();
  try {
    const key: unknown = JSON.parse(text);
    const isKey = Array.isArray(key) && key.every((part) => typeof part === 'string' || typeof part === 'number');
    if (isKey && (like === undefined || shape(key) === shape(like))) return key;
  } catch {
    // Reported below, like everything else that is not our token.
  }
  throw new AppError('usage', 'read the continue token: it is none that this server gave for this order');
}
