import type { ReactElement } from 'react';
import type { Operation, StageTime } from '../../../src/core/operations/index.ts';
import { useNow } from '../live/use-live.ts';
import { Notice } from '../show/notice.tsx';
import { tookText } from '../show/progress-text.ts';
import { exactText } from '../show/time-text.ts';
import styles from './operation.module.css';

interface Span {
  name: string;
  from: number;
  to: number;
}

/** What took how long, on one scale, from the moment somebody asked for it. */
export function Timeline({ operation, stages }: { operation: Operation; stages: readonly StageTime[] }): ReactElement {
  const now = useNow();
  const spans = spansOf(operation, stages, now);
  const [first, last] = [spans[0]?.from ?? 0, Math.max(...spans.map(({ to }) => to))];
  const whole = Math.max(1, last - first);
  if (spans.length === 0) return <Notice title="Not started yet">Its stages appear here once it starts.</Notice>;
  return (
    <ol className={styles.timeline}>
      {spans.map(({ name, from, to }) => (
        <li key={`${name} ${String(from)}`} title={exactText(new Date(from).toISOString())}>
          <span className={styles.spanName}>{name}</span>
          <span className={styles.track}>
            <span
              className={styles.span}
              style={{ left: `${percent(from - first, whole)}%`, width: `max(3px, ${percent(to - from, whole)}%)` }}
            />
          </span>
          <span className={styles.spanTime}>{tookText((to - from) / 1000)}</span>
        </li>
      ))}
      <li className={styles.sum}>
        <span className={styles.spanName}>total</span>
        <span />
        <span className={styles.spanTime}>{tookText((last - first) / 1000)}</span>
      </li>
    </ol>
  );
}

function spansOf(operation: Operation, stages: readonly StageTime[], now: number): Span[] {
  const [first] = stages;
  if (first === undefined) return [];
  const end = operation.endedAt === undefined ? now : Date.parse(operation.endedAt);
  const spans = stages.map(({ stage, startedAt, endedAt }) => {
    const from = Date.parse(startedAt);
    return { name: stage, from, to: Math.max(from, endedAt === undefined ? end : Date.parse(endedAt)) };
  });
  const [asked, begun] = [Date.parse(operation.createdAt), Date.parse(first.startedAt)];
  // Kubernetes cuts the moment of creation to whole seconds: less than that is no wait.
  return begun - asked < 1000 ? spans : [{ name: 'waiting', from: asked, to: begun }, ...spans];
}

function percent(part: number, whole: number): string {
  return ((part * 100) / whole).toFixed(2);
}
