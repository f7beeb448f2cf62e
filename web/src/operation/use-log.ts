import { useEffect, useState } from 'react';
import { toAppError, type AppError } from '../../../src/base/index.ts';
import { useServices } from '../server/services.ts';
import { appendLog, EMPTY_LOG, type LogBuffer } from './log-buffer.ts';

export interface FollowedLog {
  log: LogBuffer;
  /** False once the server has sent everything there is. */
  isOpen: boolean;
  error?: AppError;
  again: () => void;
}

/** Reads an operation's log as it is written. */
export function useLog(id: string, isFollowed: boolean): FollowedLog {
  const { client } = useServices();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Omit<FollowedLog, 'again'>>({ log: EMPTY_LOG, isOpen: true });
  useEffect(() => {
    const life = new AbortController();
    setState({ log: EMPTY_LOG, isOpen: true });
    const read = async (): Promise<void> => {
      const path = `api/operations/${encodeURIComponent(id)}/log`;
      const body = await client.lines(path, { follow: isFollowed ? '1' : undefined }, life.signal);
      const decoder = new TextDecoder();
      const reader = body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        const piece = done ? '\n' : decoder.decode(value, { stream: true });
        setState(({ log }) => ({ log: done && log.rest === '' ? log : appendLog(log, piece), isOpen: !done }));
        if (done) return;
      }
    };
    read().catch((error: unknown) => {
      if (!life.signal.aborted) setState(({ log }) => ({ log, isOpen: false, error: toAppError(error) }));
    });
    return () => {
      life.abort();
    };
    // Whether it is followed decides only how it begins: a log that is read to its end stays.
  }, [id, client, round]);
  return {
    ...state,
    again: () => {
      setRound((before) => before + 1);
    },
  };
}
