import { createContext, use } from 'react';
import type { SessionAnswer } from '../../../src/core/operations/index.ts';

export interface SessionContext {
  session: SessionAnswer;
  /** Asks for it again: what is seen of a cluster, and who works on it, may change. */
  again: () => void;
  logOut: () => void;
}

export const Session = createContext<SessionContext | undefined>(undefined);

export function useSession(): SessionContext {
  const context = use(Session);
  if (context === undefined) throw new Error('use the session: there is no provider above this component');
  return context;
}
