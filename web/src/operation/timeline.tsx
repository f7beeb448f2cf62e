import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { Operation, OperationDetail, OperationStep } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useNow } from '../live/use-live.ts';
import { Notice } from '../show/notice.tsx';
import { tookText } from '../show/progress-text.ts';
import { exactText } from '../show/time-text.ts';
import { stepSeconds } from './steps.ts';
import styles from './operation.module.css';

interface Span {
  key: string;
  name: string;
  from: number;
  to: number;
}

/** What took how long, on one scale, from the moment somebody asked for it. */
export function Timeline({ operation, detail }: { operation: Operation; detail: OperationDetail }): ReactElement {
  const now = useNow();
  const spans = spansOf(operation, detail.steps, now);
  if (spans.length === 0) return <NoTimes operation={operation} />;
  const first = Math.min(...spans.map(({ from }) => from));
  const last = Math.max(...spans.map(({ to }) => to));
  const whole = Math.max(1, last - first);
  const left = detail.stepsTotal - detail.steps.length;
  return (
    <ol className={styles.timeline}>
      {spans.map(({ key, name, from, to }) => (
        <li key={key} title={exactText(new Date(from).toISOString())}>
          <span className={styles.spanName} title={name}>
            {name}
          </span>
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
        <span className={styles.dim}>{left > 0 && `${formatCount(left)} steps are not shown`}</span>
        <span className={styles.spanTime}>{tookText((last - first) / 1000)}</span>
      </li>
    </ol>
  );
}

function NoTimes({ operation }: { operation: Operation }): ReactElement {
  if (!isTerminal(operation.report.state)) {
    return <Notice title="Nothing to show yet">What takes how long appears here once it is told.</Notice>;
  }
  return <Notice title="No times">The program that ran it did not record when its steps began and ended.</Notice>;
}

function spansOf(operation: Operation, steps: readonly OperationStep[], now: number): Span[] {
  const spans = steps.flatMap((step) => {
    const seconds = stepSeconds(operation, step, now);
    const from = Date.parse(step.startedAt ?? '');
    if (seconds === undefined || Number.isNaN(from)) return [];
    return [{ key: String(step.number), name: step.name, from, to: from + seconds * 1000 }];
  });
  const [first] = spans;
  const asked = Date.parse(operation.createdAt);
  // Kubernetes cuts the moment of creation to whole seconds: less than that is no wait.
  if (first === undefined || !(first.from - asked >= 1000)) return spans;
  return [{ key: 'waiting', name: 'waiting', from: asked, to: first.from }, ...spans];
}

function percent(part: number, whole: number): string {
  return ((part * 100) / whole).toFixed(2);
}
