import { Fragment, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { reportAt } from '../../../src/core/operations/at-moment.ts';
import type { Operation, OperationCounts, OperationDetail } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useHref } from '../frame/place.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import { nowText } from '../overview/running-row.tsx';
import { OperationLink, Where } from '../show/operation-name.tsx';
import { Panel } from '../show/panel.tsx';
import { ProgressBar } from '../show/progress-bar.tsx';
import { leftText, measuresText, NOTHING, percentText, rateText, stepText, tookText } from '../show/progress-text.ts';
import { StandingSign, standingOf } from '../show/sign.tsx';
import { STANDING_WORDS } from '../show/standing-words.ts';
import { BackedUp } from './backed-up.tsx';
import { partTree, type PartNode } from './part-tree.ts';
import { volumeText } from './volume-text.ts';
import styles from './parts.module.css';

const ORDER = ['running', 'failed', 'partiallyFailed', 'pending', 'canceled', 'completed'] as const;

/** What it consists of, as a tree: the backups of a migration, the volumes of a backup. */
export function Parts({ detail }: { detail: OperationDetail }): ReactElement | null {
  const href = useHref();
  const total = partsTotal(detail.partCounts);
  if (total === 0) return null;
  const { nodes, more } = partTree(detail);
  const areVolumes = detail.parts.every(({ noun }) => noun === 'volume');
  // Then nobody here knows how many there are below each.
  const isCut = total > detail.parts.length;
  return (
    <Panel title={`${areVolumes ? 'Volumes' : 'Parts'} (${formatCount(total)})`} side={<Counts detail={detail} />}>
      <ul className={styles.parts}>
        {nodes.map((node) => (
          <Part key={node.part.id} node={node} isCut={isCut} cluster={detail.cluster} />
        ))}
      </ul>
      {more > 0 && (
        <p className={styles.all}>
          <a href={href(['operations'], { parent: detail.id })}>All parts of {operationTitle(detail)}</a>
        </p>
      )}
    </Panel>
  );
}

function partsTotal({ stalled: _, ...counts }: OperationCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** `2 running, 1 of them stalled · 4 998 completed`; of parts that are listed by themselves, each leads to them. */
function Counts({ detail }: { detail: OperationDetail }): ReactElement {
  const href = useHref();
  const { stalled, ...counts } = detail.partCounts;
  const isFlat = detail.parts.every(({ parent }) => parent === detail.id);
  const words = ORDER.flatMap((state) => {
    if (counts[state] === 0) return [];
    const some = state === 'running' && stalled > 0 ? `, ${formatCount(stalled)} of them stalled` : '';
    return [{ state, text: `${formatCount(counts[state])} ${STANDING_WORDS[state]}${some}` }];
  });
  return (
    <span className={styles.dim}>
      {words.map(({ state, text }, at) => (
        <Fragment key={state}>
          {at > 0 && ' · '}
          {isFlat ? <a href={href(['operations'], { parent: detail.id, state })}>{text}</a> : text}
        </Fragment>
      ))}
    </span>
  );
}

interface PartProps {
  node: PartNode;
  isCut: boolean;
  /** Of the operation whose page it is: only another one need be named. */
  cluster: string;
}

function Part({ node, isCut, cluster }: PartProps): ReactElement {
  const { part, below, more } = node;
  const href = useHref();
  return (
    <li>
      <PartLine part={part} cluster={cluster} />
      {(below.length > 0 || more > 0) && (
        <ul className={styles.below}>
          {below.map((each) => (
            <Part key={each.part.id} node={each} isCut={isCut} cluster={cluster} />
          ))}
          {more > 0 && (
            <li className={styles.all}>
              <a href={href(['operations', part.id])}>{isCut ? 'More of them' : `${formatCount(more)} more`}</a>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

function PartLine({ part, cluster }: { part: Operation; cluster: string }): ReactElement {
  const report = reportAt(part.report, useNow(1000));
  const isOld = useOldSince(part.cluster) !== undefined;
  const hasEnded = isTerminal(report.state);
  const left = isOld || report.state !== 'running' ? undefined : leftText(report);
  const took = part.seconds === undefined ? undefined : tookText(part.seconds);
  return (
    <div className={styles.part}>
      <span className={styles.name}>
        <StandingSign operation={part} /> <OperationLink operation={part} />{' '}
        {part.cluster !== cluster && <Where operation={part} />}
      </span>
      <span className={styles.standing}>{STANDING_WORDS[standingOf(part)]}</span>
      <span className={styles.bar}>
        <ProgressBar report={report} label={operationTitle(part)} />
      </span>
      <span className={styles.number}>{percentText(report) ?? NOTHING}</span>
      <span className={styles.done}>{doneText(part)}</span>
      <span className={styles.number}>{isOld || hasEnded ? NOTHING : rateText(report)}</span>
      <span className={styles.number}>{(hasEnded ? took : left) ?? NOTHING}</span>
      {part.noun === 'volume' && volumeText(part) !== undefined && (
        <span className={styles.note}>{volumeText(part)}</span>
      )}
      {part.facts.backedUp && (
        <span className={styles.note}>
          <BackedUp volume={part.facts.backedUp} />
        </span>
      )}
      {isNoteworthy(part) && <span className={styles.note}>{nowText(part)}</span>}
    </div>
  );
}

/** Bytes where there are some, items of other backups, steps of a migration. */
function doneText({ report, step }: Operation): string {
  if (step !== undefined) return stepText(step);
  const bytes = report.measures.filter(({ unit }) => unit === 'bytes');
  return measuresText({ ...report, measures: bytes.length > 0 ? bytes : report.measures });
}

function isNoteworthy({ report }: Operation): boolean {
  return report.stalled !== undefined || report.state === 'failed' || report.state === 'partiallyFailed';
}
