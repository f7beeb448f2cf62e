import type { ReactElement } from 'react';
import type { Operation } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useSamples } from '../live/use-live.ts';
import { Panel } from '../show/panel.tsx';
import { rateText } from '../show/progress-text.ts';
import { clockText } from '../show/time-text.ts';
import { chartOf } from './chart-path.ts';
import styles from './operation.module.css';

const [WIDTH, HEIGHT] = [480, 84];

/** Speed over the time that this page has watched; the server keeps no history. */
export function Throughput({ operation }: { operation: Operation }): ReactElement | null {
  const samples = useSamples(operation);
  const chart = chartOf(samples, WIDTH, HEIGHT);
  if (chart === undefined && isTerminal(operation.report.state)) return null;
  const rate = (ratePerSecond: number): string => rateText({ ...operation.report, ratePerSecond });
  return (
    <Panel title="Throughput" side={chart && <span className={styles.dim}>up to {rate(roughly(chart.max))}</span>}>
      {chart === undefined ? (
        <p className={styles.empty}>{emptyText(operation)}</p>
      ) : (
        <figure className={styles.chart}>
          <svg
            viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT + 16)}`}
            role="img"
            aria-label={`Throughput up to ${rate(roughly(chart.max))}`}
          >
            {chart.marks.map(({ x, stage }) => (
              <g key={`${stage} ${String(x)}`} className={styles.mark}>
                <line x1={x} x2={x} y1={0} y2={HEIGHT} />
                <text x={Math.min(x + 3, WIDTH - 60)} y={HEIGHT + 13}>
                  {stage}
                </text>
              </g>
            ))}
            <path className={styles.area} d={chart.area} />
            <path className={styles.curve} d={chart.line} />
          </svg>
          <figcaption>
            {`${clockText(iso(samples[0]?.at), Date.now())} to ${clockText(iso(samples.at(-1)?.at), Date.now())}`}
          </figcaption>
        </figure>
      )}
    </Panel>
  );
}

function emptyText({ report }: Operation): string {
  if (report.state === 'pending') return 'It has not begun yet.';
  return report.stalled
    ? 'Nothing moves, so there is no line to draw.'
    : 'The line begins with the second measurement.';
}

function roughly(rate: number): number {
  return Number(rate.toPrecision(3));
}

function iso(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString();
}
