import type { Log } from '../base/index.ts';
import { toAppError, type ObjectRef } from '../base/index.ts';

export interface Deed {
  /** Who, as the cluster says; absent when it does not take them. */
  user?: string | undefined;
  address?: string | undefined;
  cluster: string;
  action: 'login' | 'logout' | 'create' | 'cancel' | 'delete' | 'edit' | 'pause' | 'resume' | 'check';
  object?: Partial<ObjectRef> | undefined;
}

/** Who did what to which object, and what came of it: one line for every change that was tried. */
export async function audited<T>(log: Log, deed: Deed, act: () => Promise<T>): Promise<T> {
  const { object, ...rest } = deed;
  const { kind, namespace, name } = object ?? {};
  const fields = { audit: true, ...rest, kind, namespace, name };
  try {
    const result = await act();
    log.info('changed', { ...fields, result: 'done' });
    return result;
  } catch (error) {
    const { code } = toAppError(error);
    // Whoever is turned away by a limit may come a thousand times; the limit tells of that itself.
    if (code !== 'throttled') log.warn('change refused', { ...fields, result: code });
    throw error;
  }
}
