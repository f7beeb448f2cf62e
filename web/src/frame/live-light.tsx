import type { ReactElement } from 'react';
import { formatDuration } from '../../../src/base/index.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive, useNow } from '../live/use-live.ts';
import styles from './top-bar.module.css';

const light = (state: LiveState): LiveState['light'] => state.light;
const unseenOf = (state: LiveState): LiveState['unseen'] => state.unseen;

/** Whether what is shown is true now, in words. */
export function LiveLight(): ReactElement {
  const shown = useLive(light);
  const unseen = useLive(unseenOf);
  if (shown.kind === 'reconnecting') return <Broken words="reconnecting" since={shown.since} />;
  const [first, second] = unseen;
  if (shown.kind === 'live' && first !== undefined) {
    const which = second === undefined ? `${first[0]} has` : `${String(unseen.size)} clusters have`;
    return <Broken words={`${which} not responded`} since={Math.min(...unseen.values())} />;
  }
  const words = { connecting: 'connecting', live: 'live', refused: 'not connected' }[shown.kind];
  return (
    <span className={`${styles.light} ${shown.kind === 'live' ? styles.live : ''}`} role="status">
      {words}
    </span>
  );
}

/** The seconds are for the eye: a screen reader hears that it is so, once. */
function Broken({ words, since }: { words: string; since: number }): ReactElement {
  const now = useNow();
  const seconds = Math.max(1, Math.round((now - since) / 1000));
  return (
    <span className={`${styles.light} ${styles.broken}`} role="status">
      <span>
        {words} <span aria-hidden="true">for {formatDuration(seconds)}</span>
      </span>
    </span>
  );
}
