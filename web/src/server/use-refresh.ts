import { useEffect } from 'react';

/** Asks again from time to time while somebody looks; for what does not come with the events. */
export function useRefresh(again: () => void, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [again, everyMs]);
}
