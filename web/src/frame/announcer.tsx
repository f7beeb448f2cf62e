import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import type { Operation } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive } from '../live/use-live.ts';
import { standingOf } from '../show/sign.tsx';
import { STANDING_WORDS } from '../show/standing-words.ts';

const byId = (state: LiveState): ReadonlyMap<string, Operation> => state.operations.byId;

/** Tells a screen reader what has ended or stalled, politely, and no percents. */
export function Announcer(): ReactElement {
  const operations = useLive(byId);
  const before = useRef(operations);
  const [news, setNews] = useState('');
  useEffect(() => {
    const said = changes(before.current, operations);
    before.current = operations;
    if (said !== '') setNews(said);
  }, [operations]);
  return (
    <VisuallyHidden aria-live="polite" role="status">
      {news}
    </VisuallyHidden>
  );
}

function changes(before: ReadonlyMap<string, Operation>, after: ReadonlyMap<string, Operation>): string {
  const told: string[] = [];
  for (const [id, operation] of after) {
    const old = before.get(id);
    if (old === undefined || old === operation || standingOf(old) === standingOf(operation)) continue;
    told.push(`${operationTitle(operation)} ${STANDING_WORDS[standingOf(operation)]}`);
  }
  return told.length > 3 ? `${told.slice(0, 3).join(', ')} and ${String(told.length - 3)} more` : told.join(', ');
}
