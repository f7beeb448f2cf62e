import type { ReactElement } from 'react';
import type { LiveState } from '../live/live-store.ts';
import { useLive, useNow } from '../live/use-live.ts';
import { tookText } from '../show/progress-text.ts';
import styles from './top-bar.module.css';

const light = (state: LiveState): LiveState['light'] => state.light;

/** Whether what is shown is true now, in words. */
export function LiveLight(): ReactElement {
  const shown = useLive(light);
  const now = useNow();
  if (shown.kind === 'reconnecting') {
    const seconds = Math.max(1, Math.round((now - shown.since) / 1000));
    return (
      <span className={`${styles.light} ${styles.broken}`} role="status">
        <span>
          reconnecting <span aria-hidden="true">since {tookText(seconds)}</span>
        </span>
      </span>
    );
  }
  const words = { connecting: 'connecting', live: 'live', refused: 'not connected' }[shown.kind];
  return (
    <span className={`${styles.light} ${shown.kind === 'live' ? styles.live : ''}`} role="status">
      {words}
    </span>
  );
}
