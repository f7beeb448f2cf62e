import { useCallback, useEffect, useState } from 'react';
import { AppError, isAppError } from '../../../src/base/index.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive } from '../live/use-live.ts';
import { useServices } from '../server/services.ts';
import { appendLog, EMPTY_LOG, type LogBuffer } from './log-buffer.ts';

export interface FollowedLog {
  log: LogBuffer;
  /** False once the server has sent everything there is. */
  isOpen: boolean;
  error?: AppError;
  again: () => void;
}

const isLiveNow = (state: LiveState): boolean => state.light.kind === 'live';

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
      const reader = body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        const piece = done ? '\n' : value;
        setState(({ log }) => ({ log: done && log.rest === '' ? log : appendLog(log, piece), isOpen: !done }));
        if (done) return;
      }
    };
    read().catch((error: unknown) => {
      // What the browser throws in the middle of a body is no error of ours.
      const failure = isAppError(error) ? error : new AppError('unreachable', 'read the log: the connection broke');
      if (!life.signal.aborted) setState(({ log }) => ({ log, isOpen: false, error: failure }));
    });
    return () => {
      life.abort();
    };
    // Whether it is followed decides only how it begins: a log that is read to its end stays.
  }, [id, client, round]);
  const again = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  const { error } = state;
  const isLive = useLive(isLiveNow);
  useEffect(() => {
    // It broke with the connection, and the connection is back.
    if (isLive && isAppError(error, 'unreachable')) again();
    // Only when it comes back: a log that cannot be read while everything else can is for a person to decide.
  }, [isLive]);
  return { ...state, again };
}
