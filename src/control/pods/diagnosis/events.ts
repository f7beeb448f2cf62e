import { textAt, type JsonObject } from '../../../base/index.ts';

/** The newest event with one of these reasons. */
export function newestEvent(
  events: readonly JsonObject[] | undefined,
  reasons: readonly string[],
): JsonObject | undefined {
  const wanted = (events ?? []).filter((event) => reasons.includes(textAt(event, 'reason') ?? ''));
  return wanted.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1);
}

/** Of its last occurrence, wherever the component that wrote it put it. */
function timeOf(event: JsonObject): number {
  const times = [
    textAt(event, 'series', 'lastObservedTime'),
    textAt(event, 'lastTimestamp'),
    textAt(event, 'eventTime'),
    textAt(event, 'metadata', 'creationTimestamp'),
  ];
  const [last = 0] = times.flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  return Number.isNaN(last) ? 0 : last;
}
