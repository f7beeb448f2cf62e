import type { ReactElement } from 'react';
import { formatCount, formatDuration } from '../../../src/base/index.ts';
import { reportAt } from '../../../src/core/operations/at-moment.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import type { Report, Waiting } from '../../../src/core/progress/index.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import { sentence } from '../show/notice.tsx';
import { Panel } from '../show/panel.tsx';
import { measuresText, NOTHING, rateText, stalledSeconds, tellsRate } from '../show/progress-text.ts';
import { secondsBetween } from '../show/time-text.ts';
import { When } from '../show/when.tsx';
import styles from './operation.module.css';

/** When the line has not changed for so long, it says since when. */
const QUIET_SECONDS = 5;

interface NowProps {
  operation: Operation;
  /** Texts that stand in the opened step beside it. */
  told?: readonly (string | undefined)[];
}

export function Now({ operation, told = [] }: NowProps): ReactElement {
  const now = useNow();
  const report = reportAt(operation.report, now);
  const oldSince = useOldSince(operation.cluster);
  const current = report.current ?? waitingText(operation);
  const isTold = current === NOTHING || told.includes(current);
  return (
    <Panel title="Now">
      <div className={styles.now}>
        {!isTold && (
          <p className={styles.current} title={current}>
            {current}
          </p>
        )}
        {report.state !== 'pending' && <p>{amountText(report, oldSince !== undefined)}</p>}
        <Counts operation={operation} />
        <Waits waits={report.waits ?? []} now={now} />
        <Moving report={report} now={now} oldSince={oldSince} />
      </div>
    </Panel>
  );
}

/** `1 653 of 2 431 items · 812/s`; what was never told has no place kept for it. */
function amountText(report: Report, isOld: boolean): string {
  const rate = isOld ? NOTHING : rateText(report);
  return tellsRate(report) ? `${measuresText(report)} · ${rate}` : measuresText(report);
}

interface MovingProps {
  report: Report;
  now: number;
  /** Since when what is shown is old. */
  oldSince: number | undefined;
}

function Moving({ report, now, oldSince }: MovingProps): ReactElement {
  const moving =
    oldSince === undefined ? movingText(report, now) : `No news for ${formatDuration((now - oldSince) / 1000)}`;
  return (
    <p className={styles.dim}>
      {moving}
      {report.startedAt && (
        <>
          {moving === undefined ? 'Started ' : ' · started '}
          <When time={report.startedAt} as="clock" />
        </>
      )}
    </p>
  );
}

/** Whether it moves is only known of what tells when it last did. */
function movingText({ state, lastProgressAt }: Report, now: number): string | undefined {
  if (state === 'pending') return 'It will start automatically';
  if (lastProgressAt === undefined) return undefined;
  const quiet = secondsBetween(lastProgressAt, now);
  return quiet >= QUIET_SECONDS ? `No change for ${formatDuration(quiet)}` : 'Moving';
}

function Counts({ operation }: { operation: Operation }): ReactElement | null {
  const { counts } = operation.report;
  if (counts === undefined) return null;
  return (
    <p className={styles.counts}>
      {(['created', 'updated', 'skipped', 'failed'] as const).map((outcome) => (
        <span key={outcome} className={outcome === 'failed' && counts.failed > 0 ? styles.bad : undefined}>
          <i className={styles[outcome]} aria-hidden="true" /> {formatCount(counts[outcome])} {outcome}
        </span>
      ))}
    </p>
  );
}

/** All that it waits for, with how long; the oldest first. */
function Waits({ waits, now }: { waits: readonly Waiting[]; now: number }): ReactElement | null {
  if (waits.length === 0) return null;
  return (
    <ul className={styles.waits} aria-label="Waiting for">
      {waits.map(({ cause, since }) => (
        <li key={`${since} ${cause}`}>
          {cause} <span className={styles.dim}>for {formatDuration(secondsBetween(since, now))}</span>
        </li>
      ))}
    </ul>
  );
}

function waitingText({ report, facts }: Operation): string {
  if (report.state !== 'pending') return report.stage ?? NOTHING;
  return facts.queuePosition === undefined ? 'Waiting to start' : `Queued at position ${String(facts.queuePosition)}`;
}

/** What stands in the way, and what to do about it. */
export function Stall({ operation }: { operation: Operation }): ReactElement | null {
  const { stalled } = operation.report;
  const now = useNow();
  if (stalled === undefined) return null;
  return (
    <div className={styles.stall} role="group" aria-label="Stalled">
      <p>
        <strong>{formatDuration(stalledSeconds(operation.report, now))} without progress.</strong>{' '}
        {sentence(stalled.cause)}
      </p>
      {stalled.hint !== '' && <p>Try: {stalled.hint}</p>}
    </div>
  );
}
