import type { ReactElement } from 'react';
import type { Operation, SamplesAnswer } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { Panel } from '../show/panel.tsx';
import { rateText, tellsRate } from '../show/progress-text.ts';
import { chartOf, type Chart } from './chart-path.ts';
import styles from './operation.module.css';

const [WIDTH, HEIGHT] = [420, 84];
/** Around the plot: rates at the left, stages above, times below. */
const [LEFT, TOP, BOTTOM, RIGHT] = [64, 16, 18, 14];

/** Speed over time, as long as the server has watched it: a reload changes nothing. */
export function Throughput({ operation }: { operation: Operation }): ReactElement | null {
  const { id, report } = operation;
  const isOver = isTerminal(report.state);
  const { answer, again } = useAnswer<SamplesAnswer>(`samples ${id} ${String(isOver)}`, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(id)}/samples`, {}, signal),
  );
  useRefresh(again, isOver ? undefined : 1000);
  const chart = chartOf(answer?.samples ?? [], WIDTH, HEIGHT);
  if (chart === undefined && isOver) return null;
  if (chart === undefined && report.state !== 'pending' && !tellsRate(report)) return null;
  const rate = (ratePerSecond: number): string => rateText({ ...report, ratePerSecond });
  return (
    <Panel title="Throughput" side={chart && <span className={styles.dim}>up to {rate(roughly(chart.max))}</span>}>
      {chart === undefined ? (
        <p className={styles.empty}>{emptyText(operation)}</p>
      ) : (
        <Plot chart={chart} rate={rate} />
      )}
    </Panel>
  );
}

function Plot({ chart, rate }: { chart: Chart; rate: (ratePerSecond: number) => string }): ReactElement {
  const box = [-LEFT, -TOP, WIDTH + LEFT + RIGHT, HEIGHT + TOP + BOTTOM].join(' ');
  return (
    <figure className={styles.chart}>
      <svg viewBox={box} role="img" aria-label={`Throughput over time, up to ${rate(roughly(chart.max))}`}>
        {chart.rates.map(({ y, rate: each }) => (
          <g key={each} className={styles.axis}>
            <line x1={0} x2={WIDTH} y1={y} y2={y} />
            <text x={-6} y={y + 4} textAnchor="end">
              {rate(each)}
            </text>
          </g>
        ))}
        {chart.times.map(({ x, text }) => (
          <text key={x} className={styles.tick} x={x} y={HEIGHT + 14} textAnchor="middle">
            {text}
          </text>
        ))}
        {chart.marks.map(({ x, stage, isNamed }) => (
          <g key={`${stage} ${String(x)}`} className={styles.mark}>
            <line x1={x} x2={x} y1={isNamed ? -10 : 0} y2={HEIGHT} />
            {isNamed && (
              <text x={Math.min(x + 3, WIDTH - 52)} y={-5}>
                {stage}
              </text>
            )}
          </g>
        ))}
        <path className={styles.area} d={chart.area} />
        <path className={styles.curve} d={chart.line} />
      </svg>
    </figure>
  );
}

function emptyText({ report }: Operation): string {
  if (report.state === 'pending') return 'It has not started yet.';
  return report.stalled ? 'Nothing is moving, so there is nothing to draw.' : 'The chart appears within a few seconds.';
}

function roughly(rate: number): number {
  return Number(rate.toPrecision(3));
}
