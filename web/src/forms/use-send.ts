import { useCallback, useState } from 'react';
import { toAppError, type AppError } from '../../../src/base/index.ts';

export interface Sending {
  error?: AppError | undefined;
  isSending: boolean;
  /** Runs what the button stands for; a failure stays until the next try. */
  send: (work: () => Promise<void>) => void;
}

export function useSend(): Sending {
  const [error, setError] = useState<AppError>();
  const [isSending, setSending] = useState(false);
  const send = useCallback((work: () => Promise<void>) => {
    setSending(true);
    setError(undefined);
    work()
      .catch((failure: unknown) => {
        setError(toAppError(failure));
      })
      .finally(() => {
        setSending(false);
      });
  }, []);
  return { error, isSending, send };
}
