import { useCallback, useEffect, useState } from 'react';
import { isAppError, toAppError, type AppError } from '../../../src/base/index.ts';
import { useServices } from './services.ts';
import type { ServerClient } from './server-client.ts';

export interface Asked<T> {
  /** Stays while it is asked again and while the server is away, so that nothing jumps; the light tells that it is. */
  answer?: T;
  error?: AppError;
  isAsking: boolean;
  again: () => void;
}

type Outcome<T> = { key: string; answer?: T; error?: AppError };

type Settled<T> = Outcome<T> & { round: number };

function failed<T>(now: Settled<T>, before: Settled<T> | undefined): Settled<T> {
  const isAway = isAppError(now.error, 'unreachable', 'timeout');
  return isAway && before?.key === now.key && before.answer !== undefined ? { ...before, round: now.round } : now;
}

/**
 * Asks the server whenever `key` changes, and again when told to. An answer of another key is never shown; an undefined
 * key asks nothing.
 */
export function useAnswer<T>(
  key: string | undefined,
  ask: (client: ServerClient, signal: AbortSignal) => Promise<T>,
): Asked<T> {
  const { client } = useServices();
  const [round, setRound] = useState(0);
  const [outcome, setOutcome] = useState<Settled<T>>();
  useEffect(() => {
    if (key === undefined) return;
    const life = new AbortController();
    const settle = (result: Omit<Outcome<T>, 'key'>): void => {
      if (!life.signal.aborted) setOutcome({ key, round, ...result });
    };
    ask(client, life.signal).then(
      (answer) => {
        settle({ answer });
      },
      (error: unknown) => {
        if (life.signal.aborted) return;
        setOutcome((before) => failed({ key, round, error: toAppError(error) }, before));
      },
    );
    return () => {
      life.abort();
    };
    // The key stands for everything that `ask` depends on.
  }, [key, round, client]);
  const again = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  const mine = outcome?.key === key ? outcome : undefined;
  return {
    ...(mine?.answer === undefined ? {} : { answer: mine.answer }),
    ...(mine?.error === undefined ? {} : { error: mine.error }),
    isAsking: key !== undefined && mine?.round !== round,
    again,
  };
}
