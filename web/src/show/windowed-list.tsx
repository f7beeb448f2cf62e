import { useLayoutEffect, useRef, useState, type ReactElement, type ReactNode, type RefObject } from 'react';
import styles from './windowed-list.module.css';

interface WindowedListProps {
  count: number;
  /** In pixels; every row is as high. */
  rowHeight: number;
  row: (index: number) => ReactNode;
  label: string;
  /** Stays in view above the rows, and is as wide as they are. */
  head?: ReactNode;
  role?: 'rowgroup' | 'list' | 'log';
  className?: string | undefined;
  scroller?: RefObject<HTMLDivElement | null>;
  onScroll?: (element: HTMLDivElement) => void;
}

/** Rows above and below what is seen, so that fast scrolling shows no gap. */
const SPARE = 8;

/** Only the rows in view are in the document, so that ten thousand are as light as thirty. */
export function WindowedList(props: WindowedListProps): ReactElement {
  const own = useRef<HTMLDivElement>(null);
  const scroller = props.scroller ?? own;
  const [view, setView] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = (): void => {
      setView({ top: element.scrollTop, height: element.clientHeight });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [scroller]);
  const { count, rowHeight } = props;
  const first = Math.max(0, Math.min(count, Math.floor(view.top / rowHeight)) - SPARE);
  const last = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + SPARE);
  return (
    <div
      ref={scroller}
      className={`${styles.list} ${props.className ?? ''}`}
      role={props.role ?? 'list'}
      aria-label={props.label}
      tabIndex={0}
      onScroll={(event) => {
        const element = event.currentTarget;
        setView({ top: element.scrollTop, height: element.clientHeight });
        props.onScroll?.(element);
      }}
    >
      {props.head && <div className={styles.head}>{props.head}</div>}
      <div className={styles.whole} role="presentation" style={{ height: count * rowHeight }}>
        <div role="presentation" style={{ transform: `translateY(${String(first * rowHeight)}px)` }}>
          {Array.from({ length: last - first }, (_, at) => props.row(first + at))}
        </div>
      </div>
    </div>
  );
}
