import type { StreamEvent } from '../server/event-stream.ts';

/** What `headway watch -o json` has printed so far, as if a server had sent it. */
export function watchedBy(out: string): StreamEvent[] {
  const whole = out.slice(0, out.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((data) => data['isRemoved'] !== true)
    .map((data) => ({ event: 'operation', data }) as StreamEvent);
}
