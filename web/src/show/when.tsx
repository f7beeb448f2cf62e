import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { useNow } from '../live/use-live.ts';
import { clockText, exactText, relativeText } from './time-text.ts';

/** A time as people say it, with the exact one on hover and for the screen reader. */
export function When({ time, as = 'relative' }: { time: string | undefined; as?: 'relative' | 'clock' }): ReactElement {
  const now = useNow(as === 'clock' ? 60_000 : 1000);
  if (time === undefined || time === '') return <>–</>;
  return (
    <Tooltip label={exactText(time)}>
      <time dateTime={time}>{as === 'clock' ? clockText(time, now) : relativeText(time, now)}</time>
    </Tooltip>
  );
}
