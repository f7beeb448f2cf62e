import { Button, TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, useState, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { ErrorNotice, Waiting } from '../show/notice.tsx';
import { plural } from '../show/progress-text.ts';
import { WindowedList } from '../show/windowed-list.tsx';
import { timeOfDay } from '../show/time-text.ts';
import { readable, searchLog, type LogLine } from './log-buffer.ts';
import { useLog } from './use-log.ts';
import styles from './log-view.module.css';

const ROW = 20;

/** The log while it is written: follows its end, unless paused or scrolled up. */
export function LogView({ operation }: { operation: Operation }): ReactElement {
  const { q = '' } = usePlace().query;
  const setQuery = useSetQuery();
  const hasEnded = isTerminal(operation.report.state);
  const { log, isOpen, error, again } = useLog(operation.id, !hasEnded);
  const [frozen, setFrozen] = useState<readonly LogLine[]>();
  const lines = useMemo(() => searchLog(frozen ?? log.lines, q), [frozen, log.lines, q]);
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current && frozen === undefined) scroller.current?.scrollTo(0, scroller.current.scrollHeight);
  }, [lines, frozen]);
  if (error && log.lines.length === 0) return <ErrorNotice error={error} again={again} />;
  return (
    <div className={styles.log}>
      <Origin operation={operation} />
      <div className={styles.tools}>
        <TextInput
          size="xs"
          aria-label="Search the log"
          placeholder="Search the log"
          value={q}
          onChange={(event) => {
            setQuery({ q: event.currentTarget.value });
          }}
        />
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setFrozen(frozen === undefined ? log.lines : undefined);
          }}
        >
          {frozen === undefined ? 'Pause' : 'Resume'}
        </Button>
        <span className={styles.count}>
          {countText(lines.length, log.lines.length)}
          {frozen !== undefined && `, ${formatCount(log.lines.length - frozen.length)} new since paused`}
          {!isOpen && !error && hasEnded && ', complete'}
          {error && ', connection lost'}
        </span>
        {error && (
          <Button size="xs" variant="default" onClick={again}>
            Reload
          </Button>
        )}
      </div>
      {log.lines.length === 0 ? (
        <Waiting>{isOpen ? 'Waiting for the first line…' : 'The log is empty.'}</Waiting>
      ) : (
        <WindowedList
          className={styles.lines}
          scroller={scroller}
          label="Log"
          count={lines.length}
          rowHeight={ROW}
          row={(index) => {
            const line = lines[index];
            return line && <Line key={line.number} line={line} />;
          }}
          onScroll={(element) => {
            isAtEnd.current = element.scrollTop + element.clientHeight >= element.scrollHeight - 2 * ROW;
          }}
        />
      )}
    </div>
  );
}

/** Where the lines come from when the log is not stored, and what is left of them afterwards. */
function Origin({ operation }: { operation: Operation }): ReactElement | null {
  if (findAdapter(operation.ref.kind)?.files !== undefined) return null;
  const text = isTerminal(operation.report.state)
    ? 'The pods of its phases are gone, and their logs with them. What they returned is under “Output”. The cluster keeps the events for about an hour.'
    : 'Live output of the pods that run its phases. It is lost when the pods are removed. The output of a command in one of your own pods appears when the command has ended.';
  return <p className={styles.origin}>{text}</p>;
}

function Line({ line }: { line: LogLine }): ReactElement {
  return (
    <div role="listitem" className={`${styles.line} ${styles[line.level]}`}>
      <span className={styles.number} aria-hidden="true">
        {line.number}
      </span>
      <span title={line.text}>{readable(line.text, timeOfDay)}</span>
    </div>
  );
}

function countText(shown: number, all: number): string {
  return shown === all ? plural(all, 'line') : `${formatCount(shown)} of ${plural(all, 'line')}`;
}
