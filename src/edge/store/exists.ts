import { isAppError } from '../../base/index.ts';
import type { CallOptions, Store } from './port.ts';

export async function exists(store: Store, key: string, options: CallOptions = {}): Promise<boolean> {
  try {
    await store.head(key, options);
    return true;
  } catch (error) {
    if (isAppError(error, 'notFound')) return false;
    throw error;
  }
}
